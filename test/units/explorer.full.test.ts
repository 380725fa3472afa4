import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isOfExplorer } from '../../contract/paths.ts';
import { readExplorer } from '../../generator/page/explorer-files.ts';
import { explorerWorker } from '../../generator/page/explorer-worker.ts';
import type { Explorer } from '../../generator/units/explorer.ts';
import { root } from '../project/repository.ts';
import { copyWithPage } from './built-fixtures.ts';
import { build, publishFixtures, temporaryFolder } from './fixture-series.ts';
import { readSite } from './site-tree.ts';

const folder = temporaryFolder();
const at = (...names: string[]) => join(folder.path, ...names);
afterAll(folder.remove);

const paths = (dist: string) => [...readSite(dist).routes.keys()].filter(isOfExplorer).sort();

describe('the explorer of a site', () => {
  const dist = at('built');
  beforeAll(() => copyWithPage('whole', dist, 12));

  test('is a file that plain servers find, with its files beside it', async () => {
    const { files } = await readExplorer();
    const page = readFileSync(join(dist, 'site/index.html'), 'utf8');
    const [, manifest = ''] = /<link rel="manifest" href="(explorer\/[^"]+)">/.exec(page) ?? [];
    const named = [`/${manifest}`, ...files.map(({ name }) => `/explorer/${name}`)];
    expect(paths(dist)).toEqual(['/', ...named.sort(), '/sw.js']);
    for (const { name, text } of files) expect(readFileSync(join(dist, 'site/explorer', name), 'utf8')).toBe(text);
    const { routes } = readSite(dist);
    for (const [, named] of page.matchAll(/="(explorer\/[^"]+)"/g)) expect(routes.has(`/${named}`)).toBe(true);
  });

  test('names its worker, which knows the files of this explorer', async () => {
    const { files, worker = '' } = await readExplorer();
    const page = readFileSync(join(dist, 'site/index.html'), 'utf8');
    const [, version = ''] = /<meta name="shelfpress-worker" content="([0-9a-f]{16})">/.exec(page) ?? [];
    const script = readFileSync(join(dist, 'site/sw.js'), 'utf8');
    const [, told = ''] = /^self\.shelfpress=(.*);$/m.exec(script) ?? [];
    expect(JSON.parse(told)).toMatchObject({ version, files: files.map(({ name }) => name).sort() });
    expect(script.endsWith(worker)).toBe(true);
    expect(readSite(dist).routes.get('/sw.js')).toMatchObject({
      cache: 'revalidate',
      media_type: 'text/javascript; charset=utf-8',
    });
    const other = explorerWorker({ ...(await readExplorer()), files: files.slice(1) });
    expect(other?.version).not.toBe(version);
  });

  test('states a policy by which it runs and loads only its own files', async () => {
    const page = readFileSync(join(dist, 'site/index.html'), 'utf8');
    const all = [...page.matchAll(/<script(?![^>]* src=)([^>]*)>(.*?)<\/script>/gs)];
    const inPage = all.filter(([, type = '']) => !type.includes('application/ld+json'));
    expect(inPage).toHaveLength(all.length - 1);
    const [data, ...others] = inPage.filter(([, type = '']) => type.includes('application/json'));
    expect([Object.keys(JSON.parse(data?.[2] ?? '')), others]).toEqual([Object.keys((await readExplorer()).views), []]);
    const scripts = inPage.filter((found) => found !== data).map(([, , script = '']) => script);
    const hashes = scripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
    expect(hashes).toHaveLength(1);
    const policy = `http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' ${hashes[0]};`;
    expect(page).toContain(policy);
    // Everything that the page loads is relative or inline. Its links may lead to the agency.
    for (const [, url] of page.matchAll(/<(?!a )[^>]* (?:src|href)="([^"]*)"/g))
      expect(url).toMatch(/^(explorer|v1)\/|^data:/);
    expect(page).not.toMatch(/\son\w+=|javascript:/);
    for (const { name, text } of (await readExplorer()).files) {
      expect(text, name).not.toMatch(/\beval\(|new Function\(/);
    }
  });
});

test('every view has at most 60 KB of code and styles in brotli, without charts', async () => {
  const { script, style, views, files } = await readExplorer();
  const sizes = new Map(files.map(({ name, text }) => [name, brotliCompressSync(text).length]));
  for (const [view, own] of Object.entries(views)) {
    const size = [script, style, ...own].reduce((sum, name) => sum + (sizes.get(name) ?? Number.NaN), 0);
    expect(size, view).toBeLessThan(60_000);
  }
  expect(Object.keys(views)).toHaveLength(16);
});

test('files of the explorer stay as long as a publication with them is kept', async () => {
  const withMark = (mark: string): Explorer => {
    const [script, style] = [`${mark}aaaaaaa.js`, `${mark}aaaaaaa.css`];
    return {
      script,
      style,
      views: {},
      files: [script, style].map((name) => ({ name, text: `/* ${mark} */` })),
    };
  };
  const [db, dist] = [at('daily.sqlite'), at('daily')];
  const shown: string[][] = [];
  for (const [index, mark] of ['1', '2', '2', '2', null, null, null].entries()) {
    await publishFixtures(db, index, index + 1);
    await build(db, dist, mark === null ? {} : { explorer: withMark(mark) });
    shown.push(paths(dist));
  }
  const explorerFiles = (mark: string) => [`/explorer/${mark}aaaaaaa.css`, `/explorer/${mark}aaaaaaa.js`];
  const both = ['/', ...explorerFiles('1'), ...explorerFiles('2')];
  expect(shown.slice(0, 4)).toEqual([['/', ...explorerFiles('1')], both, both, ['/', ...explorerFiles('2')]]);
  expect(shown.at(-1)).toEqual([]);
});

test('the bundle does not depend on the folder of the clone', async () => {
  const copy = at('some', 'other', 'clone');
  for (const name of [
    'client',
    'contract',
    'explorer',
    'generator',
    'shim',
    'templates',
    'package.json',
    'tsconfig.json',
  ]) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const program =
    "import('./generator/page/explorer-files.ts').then(async (m) => console.log(JSON.stringify(await m.readExplorer())))";
  const printed = execFileSync(process.execPath, ['--eval', program], { cwd: copy, encoding: 'utf8' });
  expect(printed === `${JSON.stringify(await readExplorer())}\n`).toBe(true);
});
