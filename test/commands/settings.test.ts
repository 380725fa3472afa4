import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { fixtureFolders } from '../../generator/cli/preview.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { folderForFile } from '../support/temporary-folder.ts';

const root = folderForFile();
const [first = ''] = fixtureFolders();

let folder: string;
let file: string;
beforeEach(() => {
  folder = join(root, String(readdirSync(root).length));
  mkdirSync(folder);
  file = join(folder, 'shelfpress.json');
});

const say = (settings: unknown) => writeFileSync(file, JSON.stringify(settings));
const run = (...args: string[]) => runInProcess(...args, '--settings', file);

test('a command takes options and arguments from the file, paths are relative to it, and flags take precedence', async () => {
  say({
    database: 'db.sqlite',
    site: 'dist',
    base_url: 'https://a.example/v1',
    explorer: false,
    hosts: { kind: 'caddy' },
  });
  expect(await run('publish', first)).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(join(folder, 'db.sqlite'))).toBe(true);
  expect(await run('build')).toMatchObject({ code: 0, stderr: '' });
  const index = () => readFileSync(join(folder, 'dist/site/v1/index.json'), 'utf8');
  expect(index()).toContain('"https://a.example/v1/products"');
  expect(existsSync(join(folder, 'dist/site/index.html'))).toBe(false);
  expect(await run('verify')).toMatchObject({ code: 0, stdout: expect.stringContaining(`verified ${folder}/dist`) });
  const { stdout } = await run('hosts', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ files: expect.arrayContaining(['caddy/Caddyfile']) });
  expect(stdout).not.toContain('nginx');

  const outline = join(folder, 'outline.json');
  writeFileSync(outline, '{"type": "LineString", "coordinates": [[-118, 43], [-117, 44]]}');
  const flags = ['--base-url', 'https://b.example/v1', '--outline', outline];
  expect(await run('build', ...flags)).toMatchObject({ code: 0, stderr: '' });
  expect(index()).toContain('"https://b.example/v1/products"');
  expect(existsSync(join(folder, 'dist/site/index.html'))).toBe(true);
  // The last publication can be taken back as long as there is no site.
  expect((await run('unpublish')).stderr).toContain(`${folder}/dist has publication 1`);
  say({ database: 'db.sqlite', site: 'none-yet' });
  expect(await run('unpublish')).toMatchObject({ code: 0, stderr: '' });
});

test.each<readonly [settings: unknown, said: string]>([
  [{ colour: 'blue' }, 'colour: expected a known setting, got "colour"'],
  [{ hosts: { server: 'x' } }, 'hosts.server: expected a known setting, got "server"'],
  [{ exports: 'all' }, 'exports: expected one of retained, current, got "all"'],
  [{ database: 5 }, 'database: expected a string, got 5'],
  [{ deploy: {} }, 'deploy.bucket: expected a string, got nothing'],
  [{ base_url: 'ftp://x' }, "base_url 'ftp://x': expected an http or https URL like https://example.org/v1"],
  [{ license: 'a b' }, "license 'a b': expected a name of letters, digits"],
])('%j is refused: %s', async (settings, said) => {
  say(settings);
  const { code, stdout, stderr } = await run('build');
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining(`shelfpress: ${file} ${said}`),
  });
  expect(await run('build', '--help')).toMatchObject({ code: 0, stderr: '' });
});

test('a settings file that is named must exist', async () => {
  expect(await run('build')).toMatchObject({ code: 1, stderr: expect.stringContaining(`${file}: expected a file`) });
});

test('init writes what the flags say, creates incoming, names two steps, and overwrites nothing', async () => {
  const flags = ['--base-url', 'https://example.org/v1', '--recipe', 'recipe.json', '--bucket', 's3://bucket/site'];
  const missing = `shelfpress: recipe.json: no such file, named as "recipe" [settings_faults]\n`;
  expect(await run('init', ...flags)).toMatchObject({ code: 1, stderr: missing });
  writeFileSync(join(folder, 'recipe.json'), '{}');
  const { code, stdout, stderr } = await run('init', ...flags);
  expect({ code, stderr, lines: stdout.split('\n') }).toEqual({
    code: 0,
    stderr: '',
    lines: [
      `wrote ${file} and created ${folder}/incoming`,
      `1. put the agency's files into ${folder}/incoming`,
      `2. run shelfpress update --settings ${file}`,
      '',
    ],
  });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    database: 'publication.sqlite',
    site: 'dist',
    base_url: 'https://example.org/v1',
    recipe: 'recipe.json',
    deploy: { bucket: 's3://bucket/site' },
  });
  expect(readdirSync(folder).sort()).toEqual(['incoming', 'recipe.json', 'shelfpress.json']);
  const before = readFileSync(file, 'utf8');
  expect(await run('init')).toMatchObject({
    code: 1,
    stderr: `shelfpress: ${file} already exists: move or remove it first, or choose another name [already_there]\n`,
  });
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test('init refuses what a command could not use, and then writes nothing', async () => {
  expect((await run('init', '--bucket', 'bucket')).stderr).toContain("deploy.bucket 'bucket'");
  expect(readdirSync(folder)).toEqual([]);
});
