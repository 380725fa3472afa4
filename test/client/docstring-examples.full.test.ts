import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleClient } from '../../bin/package/client-bundle.ts';
import { readText, root, sourcesIn } from '../project/repository.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { ServedSites } from './served-sites.ts';

/* The examples in the docstrings of the client are programs: each of them compiles and runs. */

const folder = temporaryFolder();
const sources = [...sourcesIn('client'), ...sourcesIn('contract/schemas')];
const examples = sources.flatMap((file) =>
  examplesIn(readText(file)).map((code, index) => ({ name: `${file.replace(/\W+/g, '-')}-${index}.mts`, code })),
);
let sites: ServedSites;

beforeAll(async () => {
  sites = await ServedSites.start();
  const bundle = join(folder, 'node_modules/shelfpress');
  mkdirSync(bundle, { recursive: true });
  const exports = { './client': './open-site.js' };
  writeFileSync(join(bundle, 'package.json'), JSON.stringify({ name: 'shelfpress', type: 'module', exports }));
  for (const { name, text } of await bundleClient()) writeFileSync(join(bundle, name), text);
  for (const { name, code } of examples) {
    writeFileSync(join(folder, name), code.replaceAll('http://127.0.0.1:8080', sites.service.origin));
  }
});
afterAll(async () => {
  await sites?.[Symbol.asyncDispose]();
  removeFolder(folder);
});

/** The examples in a source file, as programs. An example that does not open a site begins with an opened one. */
function examplesIn(source: string): string[] {
  return [...source.matchAll(/^ *\* ```ts\n(.*?)^ *\* ```$/gms)].map(([, lines = '']) => {
    const code = lines.replaceAll(/^ *\* ?/gm, '');
    const opening =
      "import { openSite } from 'shelfpress/client';\nconst site = await openSite('http://127.0.0.1:8080');\n";
    return `${code.includes('openSite') ? '' : opening}${code}export {};\n`;
  });
}

/** The names that `shelfpress/client` exports, each with the source file that declares it. */
function exportedNames(): (readonly [name: string, file: string])[] {
  const text = readText('client/open-site.ts');
  const path = (from: string) => join('client', from);
  const listed = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from '(.*)';$/gm)].flatMap(
    ([, names = '', from = '']) => [...names.matchAll(/\w+/g)].map(([name]) => [name, path(from)] as const),
  );
  const whole = [...text.matchAll(/^export type \* from '(.*)';$/gm)].flatMap(([, from = '']) =>
    declaredIn(path(from)),
  );
  return [...listed, ...whole, ...declaredIn('client/open-site.ts')];
}

function declaredIn(file: string): (readonly [name: string, file: string])[] {
  const declarations = readText(file).matchAll(/^export (?:async function|type) (\w+)/gm);
  return [...declarations].map(([, name = '']) => [name, file]);
}

/** The examples of functions that take or return these show what they are. */
const shownElsewhere = ['Publication', 'Receipt', 'SiteMemory'];

test('everything that the client exports has one', () => {
  const names = exportedNames().filter(([name]) => !shownElsewhere.includes(name));
  expect(names.map(([name]) => name)).toEqual(expect.arrayContaining(['openSite', 'Site', 'RowList', 'ChangeEvent']));
  const without = names.filter(([name, file]) => {
    const [before = ''] = readText(file).split(new RegExp(`^export (?:async function|class|type) ${name}\\b`, 'm'));
    return !/@example\n(?:(?!\*\/).)*\*\/\n$/s.test(before);
  });
  expect(without).toEqual([]);
});

test('they compile', () => {
  const compilerOptions = {
    noUnusedLocals: false,
    paths: { 'shelfpress/client': [join(root, 'client/open-site.ts')] },
    typeRoots: [join(root, 'node_modules/@types')],
  };
  const settings = { extends: join(root, 'tsconfig.json'), compilerOptions, include: ['*.mts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout, status } = spawnSync(process.execPath, [tsc, '--singleThreaded'], { cwd: folder, encoding: 'utf8' });
  expect(stdout).toBe('');
  expect(status).toBe(0);
});

test('they run', async () => {
  const program = examples.map(({ name }) => `await import('./${name}');\n`).join('');
  writeFileSync(join(folder, 'program.mjs'), program);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['program.mjs'], { cwd: folder });
  expect(stderr.replaceAll(/^.*ExperimentalWarning: Type Stripping.*\n.*\n/gm, '')).toBe('');
  expect(stdout).toContain('Dunmarrow Peach Schnapps $11.99');
  expect(examples.length).toBeGreaterThan(70);
});
