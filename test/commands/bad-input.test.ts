import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isCheck } from '../support/check-mode.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { type Finished, runCommand } from '../support/command-line.ts';
import { programFile } from '../support/programs.ts';
import { copyBuiltFixtures } from '../units/built-fixtures.ts';
import { publishFixtures } from '../units/fixture-series.ts';

const snapshot = 'fixtures/01-2025-03-03';
const dir = mkdtempSync(join(tmpdir(), 'shelfpress-bad-input-'));
const at = (name: string) => join(dir, name);
const [empty, folder, text, json] = [at('empty'), at('folder'), at('text'), at('json')];
const [notZip, deep, geoJson, recipes] = [at('book.xlsx'), at('deep.json'), at('deep.geojson'), at('recipes')];
const [database, made] = [at('db'), at('made')];

/** Command lines that are wrong or name something wrong, the exit code, and part of the explanation. */
const cases: readonly (readonly [args: readonly string[], code: 1 | 2, said: string])[] = [
  [['build', '--db', database, '--outt', 'x'], 2, "unknown option '--outt'"],
  [['build', database, at('site')], 2, "too many arguments for 'build'"],
  [['help', 'nope'], 2, "there is no topic 'nope'"],
  [['serve', at('nosuch'), '--port', '0'], 1, 'shelfpress build makes one; --wait waits for it [site_missing]'],
  [['publish', at('none-*'), '--db', at('new.sqlite')], 1, 'no such path, and no path matches it as a pattern'],
  [['verify', at('nosuch')], 1, 'got no such folder [site_missing]'],
  [['verify', text], 1, 'got a file [site_missing]'],
  [['publsh'], 2, "unknown command 'publsh'"],
  [['--nosuch'], 2, "unknown option '--nosuch'"],
  [['publish', snapshot], 2, '--db is missing: add --db publication.sqlite'],
  [['publish', snapshot, '--db'], 2, "option '--db <file>' argument missing"],
  [
    ['publish', at('nosuch'), '--db', at('new.sqlite')],
    1,
    'expected a snapshot folder, got nothing: there is no folder of this name',
  ],
  [['publish', folder, '--db', at('new.sqlite')], 1, 'snapshot.json'],
  [['publish', text, '--db', at('new.sqlite')], 1, 'expected a snapshot folder, got a file'],
  [['publish', snapshot, '--db', text], 1, 'file is not a database'],
  [['publish', snapshot, '--db', folder], 1, 'folder'],
  [['publish', snapshot, '--db', at('no/such/folder/db')], 1, 'no/such/folder/db'],
  [['publish', 'fixtures/03-2025-03-12', '--db', at('new.sqlite')], 1, 'is the first'],
  [['publish', snapshot, '--db', at('new.sqlite'), '--reason', 'x'], 2, '--corrects'],
  [['publish', snapshot, '--db', at('new.sqlite'), '--corrects', 'x'], 2, '--reason'],
  [['check', at('nosuch')], 1, 'expected a snapshot folder, got nothing: there is no folder of this name'],
  [['check'], 2, "missing required argument 'snapshot'"],
  [['build', '--db', at('nosuch'), '--out', at('site')], 1, 'shelfpress publish creates it'],
  [['build', '--db', empty, '--out', at('site')], 1, 'is not a publication database'],
  [
    ['build', '--db', at('nosuch'), '--out', at('site'), '--exports', 'all'],
    2,
    'Allowed choices are retained, current',
  ],
  [['build', '--db', at('nosuch'), '--out', at('site'), '--base-url', 'ftp://x'], 2, 'expected an http or https URL'],
  [['verify', folder], 1, folder],
  [['verify', folder, '--sample', '5'], 2, 'need a URL'],
  [['verify', 'http://127.0.0.1:9', '--sample', '0'], 2, 'expected a whole number from 1 to'],
  [['verify', 'http://127.0.0.1:9', '--all', '--sample', '5'], 2, 'expected --sample or --all, got both'],
  [['mirror', 'ftp://example.org', at('mirror')], 2, 'expected'],
  [['mirror', 'http://127.0.0.1:9', at('mirror'), '--max-bytes', 'much'], 2, 'much'],
  [['mirror', 'http://127.0.0.1:9', at('mirror'), '--key', at('nosuch')], 1, at('nosuch')],
  [['follow', 'nowhere'], 2, 'nowhere'],
  [['follow', 'http://127.0.0.1:9', '--once'], 1, '127.0.0.1:9'],
  [['follow', 'http://127.0.0.1:9', '--types', 'sold'], 2, 'sold'],
  [['follow', 'http://127.0.0.1:9', '--interval', '0'], 2, 'expected a whole number from 1 to 86400'],
  [['bundle', folder, at('new.zip')], 1, folder],
  [['hosts', folder], 1, folder],
  [['hosts', folder, '--host', 'apache'], 2, 'Allowed choices are'],
  [['deploy', folder, 's3://b'], 2, 's3://b'],
  [['deploy', folder, 'bucket'], 2, 's3://'],
  [['deploy', folder, 's3://bucket'], 1, 'expected a built site or a mirror, got no current.json'],
  [['deploy', folder, 's3://bucket', '--endpoint', 'ftp://127.0.0.1'], 2, 'expected an http or https URL'],
  [['deploy', folder, 's3://bucket', '--concurrency', '0'], 2, 'expected a whole number from 1 to 256'],
  [['inspect', at('nosuch')], 1, at('nosuch')],
  [['inspect', text], 1, 'expected a publication database or the folder of a site, got a file of another kind'],
  [['inspect', folder], 1, `${folder}: expected the folder of a site, with current.json, got a folder without it`],
  [['inspect', folder, '--quarantine'], 2, '--quarantine needs a database'],
  [['status', 'http://127.0.0.1:9'], 1, '127.0.0.1:9'],
  [['status', 'http://127.0.0.1:9', '--max-age', '26'], 2, 'expected a time such as 90m, 26h or 3d, got 26'],
  [['status', 'http://127.0.0.1:9', '--sample', '0'], 2, '--sample'],
  [['status', 'http://127.0.0.1:9', '--allow-warning', 'RAIN'], 2, 'expected one of FIXTURE_DATA, '],
  [['unpublish', '--db', at('nosuch')], 1, at('nosuch')],
  [['schema', 'prices'], 2, 'prices'],
  [['import', at('nosuch'), text, '--out', at('snapshot')], 1, at('nosuch')],
  [['import', json, text, '--out', at('snapshot')], 1, 'json'],
  [['import', 'fixtures/imports/csv/recipe.json', text, '--out', at('snapshot')], 1, 'text'],
  [['import', 'fixtures/imports/price-book/recipe.json', notZip, '--out', at('snapshot')], 1, 'book.xlsx'],
  [['import', deep, text, '--out', at('snapshot')], 1, 'deep.json: expected JSON nested at most 100 deep, got deeper'],
  [['import', '/dev/zero', text, '--out', at('snapshot')], 1, '/dev/zero: expected a file, got a pipe or a device'],
  ...['up', 'nul', 'link'].map((name) => {
    const args = ['import', join(recipes, `${name}.json`), 'fixtures/imports/csv/catalog.csv', '--out', at('snapshot')];
    return [args, 1, `${name}.json curation.file: expected a file in the folder of the recipe`] as const;
  }),
  [['build', '--db', at('nosuch'), '--out', at('site'), '--sign', '/dev/zero'], 1, '/dev/zero: expected a file'],
  [['verify', folder, '--key', '/dev/zero'], 1, '/dev/zero: expected a file that can be used, got a pipe or a device'],
  [
    ['build', '--db', at('nosuch'), '--out', at('site'), '--outline', geoJson],
    1,
    'deep.geojson: expected GeoJSON of at most 64 levels, got more',
  ],
  [['inspect', at('endless')], 1, 'current.json: expected a file, got a pipe or a device'],
  [['verify', at('endless')], 1, 'current.json'],
  [['build', '--db', database, '--out', folder], 1, 'got one that holds something else: the file holiday.jpg'],
  [['build', '--db', database, '--out', text], 1, 'expected a folder, got a file'],
  [['mirror', 'http://127.0.0.1:1', folder], 1, 'folder: expected a site or an empty folder'],
  [['bundle', made, at('none/x.zip')], 1, 'expected a file that can be written, got no such file or folder'],
  [['schema', '--all', '/proc/none/schemas'], 1, '/proc/none: expected a folder that can be written, got no such'],
  [['worker', '--out', text], 1, 'text: expected a folder that can be written'],
  [['keygen', at('none/key')], 1, 'none/key: expected a file that can be written, got no such file or folder'],
  [['serve', text], 1, 'text: expected the folder of a site, got a file'],
  [['serve', at('nosuch'), '--port', '70000'], 2, '70000'],
  [['serve', at('nosuch'), '--port', '0', '--log-level', 'loud'], 2, 'loud'],
];

const finished = new Map<(typeof cases)[number], Finished>();

beforeAll(async () => {
  await publishFixtures(database, 0, 1);
  await copyBuiltFixtures(made, 11);
  mkdirSync(folder);
  writeFileSync(at('folder/holiday.jpg'), 'not ours');
  writeFileSync(empty, '');
  writeFileSync(text, 'neither JSON nor a database\n');
  writeFileSync(json, '{"colour": "blue"}\n');
  writeFileSync(notZip, 'not a workbook\n');
  const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  writeFileSync(deep, nested);
  writeFileSync(geoJson, `{"type": "LineString", "coordinates": [${nested}, [1, 2]]}`);
  for (const name of [recipes, at('endless')]) mkdirSync(name);
  symlinkSync('/dev/zero', at('endless/current.json'));
  symlinkSync(text, join(recipes, 'link'));
  for (const [name, file] of [
    ['up', '../text'],
    ['nul', 'a\0b'],
    ['link', 'link'],
  ] as const) {
    const files = { catalog: { match: '*.csv', type: 'csv' } };
    const { format, format_version, snapshot } = JSON.parse(readFileSync('fixtures/imports/csv/recipe.json', 'utf8'));
    const own = { format, format_version, snapshot, files, curation: { file } };
    writeFileSync(join(recipes, `${name}.json`), JSON.stringify(own));
  }
  for (const entry of cases) finished.set(entry, await runInProcess(...entry[0]));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test.each(cases.map((entry) => [entry[0].join(' ').replaceAll(dir, '…'), entry] as const))(
  'shelfpress %s is explained',
  (_, entry) => {
    const [, code, said] = entry;
    const { stdout, stderr, code: actual } = finished.get(entry) as Finished;
    expect(actual, stderr).toBe(code);
    expect(stdout + stderr).toContain(said);
    if (code === 2) expect(stdout).toBe('');
    else expect(stdout + stderr).toMatch(/(?:^|\n)(?:shelfpress|failing): [^\n]+\n$/);
    expect(stderr).not.toMatch(/^ {4}at |fault of shelfpress/m);
  },
);

test.each([['--port'], ['--port', '0', '--metrics-port']])('serve %s PORT: the port is in use', async (...flags) => {
  const occupied = createServer();
  await new Promise<void>((resolve) => occupied.listen(0, '127.0.0.1', resolve));
  const port = String((occupied.address() as AddressInfo).port);
  const { code, stdout, stderr } = await runCommand('serve', made, ...flags, port);
  expect({ code, stdout, stderr }).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(inUse) });
  occupied.close();
});
const inUse =
  /^shelfpress: cannot listen on 127.0.0.1 port \d+: another program uses this port: [^\n]* \[cannot_listen\]\n$/;

test.runIf(isCheck)('a limit on open files is one line', () => {
  const args = ['-c', 'ulimit -n 30; exec "$0" "$@"', process.execPath, programFile('generator/cli/cli.ts')];
  const command = ['build', '--db', database, '--out', at('limited')];
  const { status, stderr } = spawnSync('bash', [...args, ...command], { encoding: 'utf8' });
  expect(stderr).toMatch(/^shelfpress: [^\n]*(too many files are open|unable to open database file)[^\n]*\n$/);
  expect(status).toBe(1);
});
