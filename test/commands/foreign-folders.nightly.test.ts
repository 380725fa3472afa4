import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Argument, Command, Option } from 'commander';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { programFor } from '../../generator/cli/program.ts';
import { Output } from '../../generator/terminal/output.ts';
import { StaticHost } from '../mirror/static-host.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { runCommand } from '../support/command-line.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { copyBuiltFixtures } from '../units/built-fixtures.ts';
import { publishFixtures } from '../units/fixture-series.ts';

const project = process.cwd();

/*
 * Every argument and option of every command, taken from the table of commands, gets a folder of something else and an
 * empty value. No existing file may be removed or changed.
 */

const root = temporaryFolder();
const at = (...names: string[]) => join(root, ...names);
let host: StaticHost;
let names: readonly string[] = [];

beforeAll(async () => {
  await publishFixtures(at('publication.sqlite'), 0, 1);
  await publishFixtures(at('two.sqlite'), 0, 2);
  await copyBuiltFixtures(at('site'), 1);
  host = await StaticHost.start(at('site'));
  expect((await runInProcess('mirror', host.url, at('mirror'))).code).toBe(0);
  const own = new Set([...readdirSync(at('site')), ...readdirSync(at('mirror')), ...beside]);
  names = [...own].flatMap((name) => [name, `${name}.tmp`]);
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'x');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await host[Symbol.asyncDispose]();
  removeFolder(root);
});

/** Our names that a finished site does not have. */
const beside = ['spare', 'current.json.sig', 'build.unfinished', 'mirror.unfinished', 'hosts', 'nginx'];

/** What somebody else might have under a name. */
const kinds: Readonly<Record<string, (path: string) => void>> = {
  'an empty file': (path) => writeFileSync(path, ''),
  'a file': (path) => writeFileSync(path, 'mine\n'),
  'a folder': (path) => fill(path),
  'a link to a folder': (path) => symlinkSync('../victim', path),
  'a link to a file': (path) => symlinkSync('../victim/thesis.txt', path),
};

/** Somebody else's files, some of them in folders with our names. */
function fill(folder: string): void {
  const inner = ['pack', 'ab', '00000000-0000-4000-8000-000000000000', ...[...'0123'].map((digit) => digit.repeat(16))];
  for (const name of ['thesis.txt', ...inner.map((name) => `${name}/thesis.txt`)]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), 'mine\n');
  }
}

/** Makes a folder with `named` of a kind in it, and beside it the folder that links lead to. Returns its path. */
let folders = 0;
function folderWith(kind: string, named: readonly string[]): string {
  folders += 1;
  fill(at(`${folders}`, 'victim'));
  mkdirSync(at(`${folders}`, 'folder'));
  for (const name of named) kinds[kind]?.(at(`${folders}`, 'folder', name));
  return at(`${folders}`, 'folder');
}

/** The links and the files with bytes below a folder. */
function contentOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) return [`${path} -> ${readlinkSync(path)}`];
    const bytes = entry.isFile() ? readFileSync(path, 'latin1') : '';
    return bytes === '' ? [] : [`${path}: ${bytes}`];
  });
}

/** An argument or an option of a command. */
type Place = Argument | Option;

const isOption = (place: Place): place is Option => 'flags' in place;
const nameOf = (place: Place) => (isOption(place) ? place.flags : place.name());

/**
 * A correct value for an argument or a required option, by command and name, or by name. Anything else gets a database.
 */
function soundValue(command: string, place: Place): string {
  const name = isOption(place) ? place.attributeName() : place.name();
  folders += 1;
  const values: Readonly<Record<string, string>> = {
    url: host.url,
    site: at('site'),
    dir: at('site'),
    'mirror dir': at(`new-${folders}`),
    out: at(`new-${folders}`),
    file: at(`new-${folders}`),
    bucket: 's3://bucket',
    snapshot: 'fixtures/01-2025-03-03',
    recipe: 'fixtures/imports/csv/recipe.json',
    name: 'recipe',
  };
  return values[`${command} ${name}`] ?? values[name] ?? at('publication.sqlite');
}

/** Options with which a command ends. */
const ending: Readonly<Record<string, () => string[]>> = {
  follow: () => ['--once'],
  deploy: () => ['--endpoint', host.url],
  serve: () => ['--host', '192.0.2.1'],
};

/** A command line that is correct except for one value. */
function lineWith(command: Command, place: Place, value: string): string[] {
  const of = (one: Place) => (one === place ? value : soundValue(command.name(), one));
  const options = command.options.filter((one) => one === place || one.mandatory);
  return [
    command.name(),
    ...(ending[command.name()]?.() ?? []),
    ...options.flatMap((one) => [one.long ?? '', of(one)]),
    ...command.registeredArguments.map(of),
  ];
}

const output = new Output();
const all = (await programFor([], output)).commands.map((command) => command.name());
const commands = all.map(async (name) =>
  (await programFor([name], output)).commands.filter((one) => one.name() === name),
);
const places = (await Promise.all(commands))
  .flat()
  .flatMap((command) =>
    [...command.registeredArguments, ...command.options.filter((one) => one.required)].map(
      (place) => [command.name(), nameOf(place), command, place] as const,
    ),
  );

/** A server that could start gets its own process. `init` and `update` work in the working folder. */
async function run(args: string[], mayServe = false) {
  const [name = ''] = args;
  if (mayServe) return runCommand(...args);
  if (name === 'serve') return withoutListeners(() => runInProcess(...args));
  if (name !== 'init' && name !== 'update') return runInProcess(...args);
  folders += 1;
  mkdirSync(at(`own-${folders}`));
  process.chdir(at(`own-${folders}`));
  try {
    return await runInProcess(...args);
  } finally {
    process.chdir(project);
  }
}

/** `serve` listens to signals of its process, from before it knows its options. */
async function withoutListeners<Result>(act: () => Promise<Result>): Promise<Result> {
  const signals = ['SIGTERM', 'SIGINT'] as const;
  const before = new Set(signals.flatMap((signal) => process.listeners(signal)));
  try {
    return await act();
  } finally {
    for (const signal of signals)
      for (const listener of process.listeners(signal)) if (!before.has(listener)) process.off(signal, listener);
  }
}

describe.each(places)('%s %s', (name, _, command, place) => {
  test('an empty value is wrong usage', async () => {
    const { code, stdout, stderr } = await run(lineWith(command, place, ''));
    expect([code, stdout], stderr).toEqual([2, '']);
  });

  test('a folder of something else is not changed', async () => {
    const isWritten = ['build', 'mirror', 'unpublish'].includes(name) && /\bdir\b/.test(nameOf(place));
    // Where a number or a URL belongs, a folder is wrong usage.
    const mayServe = name === 'serve' && place.parseArg === undefined;
    // `serve` writes nothing, and needs a process for each.
    for (const kind of mayServe ? ['a folder', 'a link to a file'] : Object.keys(kinds)) {
      // One name after the other, if the first of them makes the folder be refused.
      for (const named of isWritten && kind.startsWith('a link') ? names.map((one) => [one]) : [names]) {
        const folder = folderWith(kind, named);
        const expected = contentOf(dirname(folder));
        const { stderr } = await run(lineWith(command, place, folder), mayServe);
        expect(contentOf(dirname(folder)), `${kind} ${named}`).toEqual(expect.arrayContaining(expected));
        expect(stderr).not.toContain('fault of shelfpress');
      }
    }
  });
});

describe('in a site of ours', () => {
  /** A site with one publication, and somebody else's folder beside it. */
  async function siteBeside() {
    const victim = join(dirname(folderWith('a file', [])), 'victim');
    const site = join(dirname(victim), 'site');
    await copyBuiltFixtures(site, 1);
    const update = () => runInProcess('build', '--db', at('two.sqlite'), '--out', site, '--no-explorer', '--full');
    return { site, victim, update };
  }

  test('names that are not in our form stay when the rest is deleted', async () => {
    const { site, update } = await siteBeside();
    const folders = ['objects', 'objects/ab', 'checkouts', 'checkouts/work', 'spare'].map((name) => join(site, name));
    for (const folder of folders) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'thesis.txt'), 'mine\n');
    }
    // The first run deletes what is no longer needed; the second one goes through everything that a killed run left.
    const unnamed = join(site, 'objects', 'ab', `ab${'0'.repeat(62)}`);
    writeFileSync(unnamed, 'left behind');
    for (const mark of ['', 'shelfpress']) {
      expect(await update()).toMatchObject({ code: 0 });
      writeFileSync(join(site, 'build.unfinished'), mark);
    }
    expect(await update()).toMatchObject({ code: 0 });
    expect(existsSync(unnamed)).toBe(false);
    expect(folders.filter((folder) => !existsSync(join(folder, 'thesis.txt')))).toEqual([]);
  });

  test.each(['objects', 'checkouts/REVISION', 'objects/ab'])(
    '%s behind a link is refused, and nothing there is changed',
    async (what) => {
      const { site, victim, update } = await siteBeside();
      const { publications } = JSON.parse((await runInProcess('inspect', at('two.sqlite'), '--json')).stdout);
      const name = join(site, what.replace('REVISION', publications.at(-1).revision));
      if (existsSync(name)) renameSync(name, join(victim, 'moved'));
      symlinkSync(existsSync(join(victim, 'moved')) ? join(victim, 'moved') : victim, name);
      const expected = contentOf(victim);
      const { code, stderr } = await update();
      expect(stderr).toContain(`${name}: expected a folder of the site, got a symbolic link`);
      expect([code, contentOf(victim)]).toEqual([1, expected]);
    },
  );

  test('a link that has the name of a temporary file is not followed', async () => {
    const { site, victim, update } = await siteBeside();
    const thesis = join(victim, 'thesis.txt');
    symlinkSync(thesis, join(site, 'current.json.tmp'));
    symlinkSync(thesis, join(site, 'recipe.schema.json.tmp'));
    expect(await update()).toMatchObject({ code: 0 });
    expect(await runInProcess('schema', '--all', site)).toMatchObject({ code: 0 });
    expect(readFileSync(thesis, 'utf8')).toBe('mine\n');
    for (const name of ['build.unfinished.tmp', 'recipe.schema.json.tmp']) mkdirSync(join(site, name));
    for (const ended of [await runInProcess('schema', '--all', site), await update()])
      expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/\.tmp: .*folder/) });
  });
});

test(':memory: is the name of a file', async () => {
  mkdirSync(at('working'));
  process.chdir(at('working'));
  try {
    const published = await runInProcess('publish', join(project, 'fixtures/01-2025-03-03'), '--db', ':memory:');
    expect(published).toMatchObject({ code: 0 });
    expect(readdirSync('.')).toEqual([':memory:']);
    expect((await runInProcess('inspect', ':memory:')).code).toBe(0);
    expect(await runInProcess('publish', join(project, 'fixtures/01-2025-03-03'), '--db', 'x ')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("'x ': expected a name that ends without white space"),
    });
  } finally {
    process.chdir(project);
  }
});
