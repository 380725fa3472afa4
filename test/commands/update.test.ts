import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { expect, onTestFinished, test } from 'vitest';
import { readDay } from '../../generator/cli/deliveries.ts';
import { openForReading } from '../../generator/database/database-file.ts';
import { acquireLock } from '../../generator/files/file-lock.ts';
import { isCheck } from '../support/check-mode.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { withoutProgress } from '../support/command-line.ts';
import { dumpOf } from '../support/database-dump.ts';
import { programFile } from '../support/programs.ts';
import {
  curationOf,
  headerOf,
  productLine,
  retrievalLine,
  storeLine,
  writeSnapshot,
} from '../support/snapshot-writer.ts';
import { folderForFile, removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const agency = 'fixtures/imports/csv';
const snapshots = folderForFile();

/** Snapshots of a few products, whose prices change each day. */
const [first = '', second = '', third = '', fourth = ''] = [1, 2, 3, 4].map((day) => {
  const published_at = `2025-03-0${day}T12:00:00Z`;
  const products = ['000001', '000002', '000003'].map((sku) => productLine(sku, { price_minor: 1000 + day }));
  const stores = [storeLine('0001'), storeLine('0002')];
  const lines = [retrievalLine('000001', published_at, [['0001', day]])];
  const header = headerOf({ published_at }, { products, stores });
  const parts = { header, products, stores, inventory: { scope: ['0001'], lines }, curation: curationOf() };
  return writeSnapshot(join(snapshots, `${day}`), parts);
});

/** The working folder of an operator. */
class Home {
  readonly folder = temporaryFolder();

  constructor(settings: object = {}) {
    onTestFinished(() => removeFolder(this.folder));
    cpSync(join(agency, 'recipe.json'), this.at('recipe.json'));
    mkdirSync(this.at('incoming'));
    writeFileSync(this.at('shelfpress.json'), JSON.stringify({ explorer: false, ...settings }));
  }

  at(...names: string[]): string {
    return join(this.folder, ...names);
  }

  names(folder: string): string[] {
    return existsSync(this.at(folder))
      ? readdirSync(this.at(folder), { recursive: true, encoding: 'utf8' }).sort()
      : [];
  }

  arrives(name: string, snapshot: string): void {
    cpSync(snapshot, this.at('incoming', name), { recursive: true });
  }

  /** The agency's files, in a folder or directly in incoming. */
  delivers(folder: string, files: Readonly<Record<string, string | Uint8Array>>, time = '2025-03-03T00:00:00Z'): void {
    mkdirSync(this.at('incoming', folder), { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(this.at('incoming', folder, name), text);
      utimesSync(this.at('incoming', folder, name), new Date(time), new Date(time));
    }
  }

  /** The exit code, the summary, and standard error. */
  async update(...flags: string[]) {
    const args = ['update', ...flags, '--json', '--quiet', '--settings', this.at('shelfpress.json')];
    const { code, stdout, stderr } = await runInProcess(...args);
    return { code, stderr, day: JSON.parse(stdout || 'null') };
  }

  /** Starts a run in its own process, in the folder. */
  start(...flags: string[]): ChildProcess {
    const args = [programFile('generator/cli/cli.ts'), 'update', '--quiet', ...flags];
    return spawn(process.execPath, args, { cwd: this.folder, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  rows(file = 'publication.sqlite') {
    const connection = openForReading(this.at(file));
    try {
      return dumpOf(connection);
    } finally {
      connection.close();
    }
  }

  get sequence(): number {
    return JSON.parse(readFileSync(this.at('dist', 'current.json'), 'utf8')).sequence;
  }
}

const withRecipe = { recipe: 'recipe.json', delivery_times: 'files' };
const fileNames = ['catalog.csv', 'stores.csv', 'inventory.csv'];

/** The agency's files of a day, with different prices and quantities each day, and changes in the catalog. */
function filesOf(day: number, edit: (catalog: string) => string = (catalog) => catalog): Record<string, string> {
  const text = (name: string) => readFileSync(join(agency, name), 'utf8');
  const catalog = text('catalog.csv').replace('$28.99', `$28.${10 + day}`);
  const inventory = text('inventory.csv').replace('2104,113,24', `2104,113,${day}`);
  return { 'catalog.csv': edit(catalog), 'stores.csv': text('stores.csv'), 'inventory.csv': inventory };
}

test('publishes what is complete, oldest first, keeps it in order and builds the site', async () => {
  const home = new Home();
  home.arrives('a', second);
  home.arrives('b', first);
  home.arrives('.c', third);
  const { code, stderr, day } = await home.update();
  expect({ code, stderr, day }).toMatchObject({
    code: 0,
    stderr: '',
    day: {
      ok: true,
      published: [
        { snapshot: home.at('incoming/b'), sequence: 1, kept_as: home.at('published/000001-b') },
        { snapshot: home.at('incoming/a'), sequence: 2, kept_as: home.at('published/000002-a') },
      ],
      site: { build: { sequence: 2 }, verify: { ok: true } },
    },
  });
  expect([home.names('incoming').slice(0, 1), home.sequence]).toEqual([['.c'], 2]);
  // What was published by hand is built, and moved away.
  home.arrives('d', third);
  await runInProcess('publish', home.at('incoming/d'), '--settings', home.at('shelfpress.json'));
  const { stdout } = await runInProcess('update', '--settings', home.at('shelfpress.json'));
  expect(stdout).toContain(`${home.at('incoming/d')} was already published, as publication 3; kept as`);
  expect(stdout).toContain('\nbuilt publication 3; verified ');
});

test('prints at most ten lines, with the largest moves of the newest publication', async () => {
  const home = new Home(withRecipe);
  for (const day of [3, 4, 5]) home.delivers(`2025-03-0${day}`, filesOf(day));
  const dearer = (catalog: string) => catalog.replace('$28.15', '$98.15');
  home.delivers('2025-03-06', filesOf(5, dearer));
  home.delivers('2025-03-07', { ...filesOf(7), 'stores.csv': 'a,b\n', 'inventory.csv': 'a,b\n' });
  home.delivers('2025-03-08', filesOf(8));
  writeFileSync(home.at('incoming', 'notes.txt'), 'call the agency');
  const { code, stdout, stderr } = await runInProcess('update', '--settings', home.at('shelfpress.json'));
  expect(code).toBe(1);
  const lines = withoutProgress(`${stderr}${stdout}`).trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(10);
  expect(stdout).toContain('  largest price moves: 002104 Wrenmoor Straight Bourbon: $28.15 to $98.15\n');
  expect(stdout).toMatch(/published 3 deliveries as publications 1 to 3, /);
  expect(stderr).toMatch(/stores\.csv .*\nand \d+ more reasons: --json has all\nshelfpress: refused /);
  expect(lines.at(-1)).toMatch(/^not done: .* was refused, and 1 later delivery waits; /);
  // The programs that read the summary have everything.
  const { day } = await home.update();
  expect(day.refused.groups.length).toBeGreaterThan(3);
});

test('a delivery that is a link, or contains one, is kept as a copy of its target', async () => {
  const home = new Home();
  const elsewhere = temporaryFolder();
  onTestFinished(() => removeFolder(elsewhere));
  for (const [name, snapshot] of [
    ['linked', first],
    ['kept', second],
  ] as const)
    cpSync(snapshot, join(elsewhere, name), { recursive: true });
  symlinkSync(join(elsewhere, 'linked'), home.at('incoming', 'a'));
  home.arrives('b', second);
  rmSync(home.at('incoming/b/products.ndjson'));
  symlinkSync(join(elsewhere, 'kept/products.ndjson'), home.at('incoming/b/products.ndjson'));
  expect((await home.update()).day.published).toMatchObject([{ sequence: 1 }, { sequence: 2 }]);
  removeFolder(elsewhere);
  expect(home.names('incoming')).toEqual([]);
  for (const [name, snapshot] of [
    ['000001-a', first],
    ['000002-b', second],
  ] as const)
    for (const file of readdirSync(snapshot))
      expect(readFileSync(home.at('published', name, file))).toEqual(readFileSync(join(snapshot, file)));
  expect(home.names('.update')).toEqual(['lock', 'proof.json']);
});

test('a refused snapshot and those after it stay, and what was published before it is built', async () => {
  const home = new Home();
  symlinkSync(first, home.at('incoming', '1'));
  home.arrives('2025-03-08', fourth);
  rmSync(home.at('incoming/2025-03-08/products.ndjson'), { force: true });
  rmSync(home.at('incoming/2025-03-08/products.ndjson.gz'), { force: true });
  mkdirSync(home.at('incoming', '2025-03-30'));
  const { code, stderr, day } = await home.update();
  expect(stderr).toContain('snapshot 2025-03-08 was not published');
  expect({ code, day }).toMatchObject({
    code: 1,
    day: {
      ok: false,
      published: [{ sequence: 1 }],
      refused: { snapshot: home.at('incoming/2025-03-08'), fault_count: expect.any(Number) },
      waiting: [home.at('incoming/2025-03-30')],
      site: { build: { sequence: 1 } },
    },
  });
  rmSync(home.at('incoming/2025-03-08'), { recursive: true });
  expect((await home.update()).stderr).toContain('expected a snapshot folder, or a recipe in the settings');
});

test('a repeated delivery is moved aside, a strange file is left alone and named, and the database can be rebuilt from what is kept', async () => {
  const home = new Home();
  for (const [name, snapshot] of [
    ['x', first],
    ['y', second],
  ] as const)
    home.arrives(name, snapshot);
  await home.update();
  home.arrives('y', second);
  home.arrives('z', third);
  for (const name of ['000003-mine', 'notes']) mkdirSync(home.at('published', name));
  const { code, day } = await home.update();
  expect({ code, day }).toMatchObject({
    code: 0,
    day: {
      published: [{ kept_as: home.at('published/000003-z') }],
      redelivered: [{ sequence: 2, moved_to: home.at('redelivered/000002-y') }],
      left_alone: ['notes', '000003-mine'].map((name) => ({ path: home.at('published', name) })),
    },
  });
  expect(readdirSync(home.at('published'))).toEqual(['000001-x', '000002-y', '000003-mine', '000003-z', 'notes']);
  home.arrives('y', second);
  expect((await home.update()).day.redelivered).toMatchObject([{ moved_to: home.at('redelivered/000002-y-2') }]);
  const kept = ['000001-x', '000002-y', '000003-z'].map((name) => home.at('published', name));
  await runInProcess('publish', ...kept, '--db', home.at('again.sqlite'));
  expect(home.rows('again.sqlite')).toEqual(home.rows());
});

test("the agency's files are dated by the name of their folder, or by their last change", async () => {
  const home = new Home(withRecipe);
  home.delivers('2025-03-05', filesOf(5));
  home.delivers('downloads', filesOf(6), '2025-03-06T06:15:00Z');
  home.delivers('', filesOf(7), '2025-03-07T06:15:00Z');
  home.delivers('', { 'notes.txt': 'of nobody' });
  const { code, day } = await home.update();
  expect({ code, day }).toMatchObject({
    code: 0,
    day: {
      published: [
        { published_at: '2025-03-05T12:00:00Z', kept_as: home.at('published/000001-2025-03-05') },
        { published_at: '2025-03-06T06:15:00Z', kept_as: home.at('published/000002-downloads') },
        { published_at: '2025-03-07T06:15:00Z', kept_as: home.at('published/000003-2025-03-07') },
      ],
      left_alone: [{ path: home.at('incoming/notes.txt'), reason: 'the recipe has no pattern that matches its name' }],
    },
  });
  expect(readdirSync(home.at('imported/000003-2025-03-07'))).toEqual(fileNames.toSorted());
  expect(home.names('incoming')).toEqual(['notes.txt']);
});

test('without "delivery_times", a delivery without a day in its name is refused before all others', async () => {
  const home = new Home({ recipe: 'recipe.json' });
  home.delivers('2025-03-05', filesOf(5));
  home.delivers('', filesOf(7), '2025-03-07T06:15:00Z');
  const { code, stderr, day } = await home.update();
  expect([code, day.published, day.waiting]).toEqual([1, [], [home.at('incoming/2025-03-05')]]);
  expect(stderr).toContain('expected a folder named after its day or time, such as 2025-03-04');
  expect(stderr).toMatch(/"delivery_times": "files" .+ \[undated\]\n$/);
});

test.each([
  ['20250304', '2025-03-04T12:00:00Z'],
  ['2025-3-5', '2025-03-05T12:00:00Z'],
  ['2025_03_05', '2025-03-05T12:00:00Z'],
  ['25.03.2025', '2025-03-25T12:00:00Z'],
  ['03-25-2025', '2025-03-25T12:00:00Z'],
  ['2025-03-04T18:00:00Z', '2025-03-04T18:00:00Z'],
  ['05-03-2025', { fault: "'05-03-2025', which could be 2025-03-05 or 2025-05-03" }],
  ['2025-02-30', { fault: "'2025-02-30', which is not a day" }],
  ['2025-13-01', { fault: "'2025-13-01', which is not a day" }],
  ['2025-03-04-late', { fault: "'2025-03-04-late', which is neither" }],
  ['today', null],
  ['downloads', null],
])('the name %s says %j', (name, time) => expect(readDay(name)).toEqual(time));

test('a folder of other files, or files without a recipe, is refused by its own name; other files beside them are left alone', async () => {
  const home = new Home({ recipe: 'recipe.json' });
  home.delivers('2025-03-04', { 'README.txt': 'of nobody' });
  expect((await home.update()).stderr).toContain(
    'expected files that the recipe names (catalog*.csv, stores*.csv, inventory*.csv), got README.txt',
  );
  home.delivers('2025-03-04/deep', filesOf(4));
  const { code, day } = await home.update();
  expect([code, day.published.length, day.left_alone]).toEqual([
    0,
    1,
    [{ path: home.at('incoming/2025-03-04/README.txt'), reason: 'the recipe has no pattern that matches its name' }],
  ]);
  const without = new Home();
  without.delivers('2025-03-04', filesOf(4));
  expect((await without.update()).stderr).toContain("a recipe in the settings for the agency's files, got neither");
});

test('a delivery can be packed, and a ZIP file that cannot be read is left alone', async () => {
  const home = new Home(withRecipe);
  const { 'inventory.csv': inventory = '', ...others } = filesOf(3);
  const packed = zipSync(Object.fromEntries(Object.entries(others).map(([name, text]) => [name, strToU8(text)])));
  home.delivers('2025-03-04', {
    'files.zip': packed,
    'inventory.csv.gz': gzipSync(inventory),
    'photos.zip': 'PK\x03\x04',
  });
  const { code, day } = await home.update();
  expect([code, day.published.length]).toEqual([0, 1]);
  expect(day.left_alone).toEqual([
    {
      path: home.at('incoming/2025-03-04/photos.zip'),
      reason: expect.stringContaining('photos.zip: expected a ZIP file, got'),
    },
  ]);
});

test('an incomplete set of files waits for the rest', async () => {
  const home = new Home(withRecipe);
  const { 'inventory.csv': inventory = '', ...others } = filesOf(3);
  home.delivers('', others);
  const { code, stderr } = await home.update();
  expect([code, stderr]).toEqual([1, expect.stringContaining('expected a file for inventory')]);
  expect(home.names('incoming')).toEqual(['catalog.csv', 'stores.csv']);
  home.delivers('', { 'inventory.csv': inventory });
  expect(await home.update()).toMatchObject({ code: 0, day: { published: [{ sequence: 1 }] } });
});

test('a run that ended between two moves is finished by the next run', async () => {
  const home = new Home(withRecipe);
  home.delivers('', filesOf(3));
  // A link to nothing, where the folder would be made for the agency's files.
  symlinkSync(home.at('nowhere'), home.at('imported'));
  const { code, stderr } = await home.update();
  expect([code, stderr]).toEqual([1, expect.stringContaining('imported')]);
  expect([home.names('published').includes('000001-2025-03-03'), home.names('incoming').length]).toEqual([true, 3]);
  rmSync(home.at('imported'));
  expect(await home.update()).toMatchObject({ code: 0, day: { published: [], site: { build: { sequence: 1 } } } });
  expect([home.names('incoming'), readdirSync(home.at('imported'))]).toEqual([[], ['000001-2025-03-03']]);
});

test('what is new is verified each day, everything once a week, and nothing when nothing is new', async () => {
  const home = new Home();
  home.arrives('1', first);
  expect((await home.update()).day.site.verify).toMatchObject({ why_full: 'nothing was proved before' });
  const nothingNew = await home.update();
  expect(nothingNew.day.site).toMatchObject({ build: { changed: false }, verify: { ok: true, skipped: true } });
  home.arrives('2', second);
  expect((await home.update()).day.site.verify).toMatchObject({ ok: true, why_full: null });
  // Damage after a verification is found by the next full one, even if nothing is new.
  const file = home.at('dist/site/v1/brands.json');
  const sound = readFileSync(file);
  writeFileSync(file, 'damaged');
  expect((await home.update()).code).toBe(0);
  writeFileSync(home.at('shelfpress.json'), JSON.stringify({ explorer: false, verify: { full_every: '0d' } }));
  const { code, stderr, day } = await home.update();
  expect([code, day.failed.step]).toEqual([1, 'verify']);
  expect(stderr).toContain('[object_damaged]');
  writeFileSync(file, sound);
  expect((await home.update()).day.site.verify.why_full).toMatch(/^the last full verification was on /);
  writeFileSync(home.at('shelfpress.json'), JSON.stringify({ verify: { full_every: 'weekly' } }));
  expect((await home.update()).stderr).toContain(
    "shelfpress.json verify.full_every 'weekly': expected a number of days",
  );
});

test('one run works at a time', async () => {
  const home = new Home();
  mkdirSync(home.at('.update'));
  const lock = acquireLock(home.at('.update/lock'));
  const child = home.start();
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const [code] = await once(child, 'close');
  lock?.release();
  expect([code, stderr]).toEqual([
    1,
    'shelfpress: another update is running with shelfpress.json: wait until it ends [busy]\n',
  ]);
});

test('mistakes are reported before anything is done', async () => {
  const home = new Home({ base_url: 'ftp://example.org' });
  home.arrives('1', first);
  expect((await home.update()).stderr).toContain("shelfpress.json base_url 'ftp://example.org': expected an http");
  expect((await home.update('--reason', 'x')).code).toBe(2);
  expect((await home.update('--accept', 'everything')).code).toBe(2);
  expect(readdirSync(home.folder).sort()).toEqual(['incoming', 'recipe.json', 'shelfpress.json']);
});

test('hours of a signature need a key', async () => {
  const home = new Home({ signature_valid_hours: 48 });
  home.arrives('1', first);
  const { code, stderr } = await home.update();
  expect([code, stderr]).toEqual([1, expect.stringContaining('signature_valid_hours: expected signing_key too')]);
  expect(existsSync(home.at('publication.sqlite'))).toBe(false);
});

test('the site has the explorer unless the settings leave it out', async () => {
  for (const explorer of [undefined, false]) {
    const home = new Home({ explorer });
    home.arrives('1', first);
    expect((await home.update()).code).toBe(0);
    expect(existsSync(home.at('dist/site/index.html'))).toBe(explorer !== false);
  }
});

/** Watches for the moment in a run at which it is to be killed. */
type Moment = (home: Home) => boolean;

const moments: Readonly<Record<string, Moment>> = {
  importing: (home) => home.names('.update/snapshots').length > 0,
  publishing: (home) => existsSync(home.at('publication.sqlite-journal')),
  moving: (home) => existsSync(home.at('.update/moves.json')) || existsSync(home.at('.update/moves.json.tmp')),
  building: (home) => existsSync(home.at('dist/build.unfinished')),
  verifying: (home) => existsSync(home.at('dist/current.json')) && !existsSync(home.at('dist/build.unfinished')),
};

/** Runs until the moment, and then kills the run. Returns whether the moment came before the end. */
async function killed(home: Home, moment: Moment, flags: readonly string[]): Promise<boolean> {
  const pointer = () => (existsSync(home.at('dist/current.json')) ? home.sequence : 0);
  const before = pointer();
  const child = home.start(...flags);
  const ended = once(child, 'exit');
  const isNow = () => (moment === moments.verifying ? pointer() > before && moment(home) : moment(home));
  // The moments last for some milliseconds. Without a pause, watching would take a processor away from what it watches.
  while (child.exitCode === null && !isNow()) await setTimeout(1);
  child.kill('SIGKILL');
  await ended;
  return child.signalCode === 'SIGKILL';
}

const days = 6;
const dateOf = (day: number) => new Date(Date.UTC(2025, 2, 3 + day)).toISOString().slice(0, 10);

test.runIf(isCheck)(
  'days that are killed in the middle end as calm days do',
  async () => {
    const [calm, restless] = [new Home(withRecipe), new Home(withRecipe)];
    const kills = Object.fromEntries(Object.keys(moments).map((name) => [name, 0]));

    /**
     * Both homes get the same. The run in the second is killed once something is published. Both end with the same code
     * and summary.
     */
    const runBoth = async (day: number, code: number, ...flags: string[]) => {
      const [name = '', moment = () => true] = Object.entries(moments)[day % 5] ?? [];
      if (code === 0 && day < days && (await killed(restless, moment, flags))) kills[name] = (kills[name] ?? 0) + 1;
      const [one, other] = [await calm.update(...flags), await restless.update(...flags)];
      expect([one.code, other.code], `day ${day}: ${one.stderr}${other.stderr}`).toEqual([code, code]);
      return one.day;
    };
    const both = (act: (home: Home) => void) => [calm, restless].forEach(act);
    const revisions: string[] = [];

    for (let day = 1; day <= days; day += 1) {
      const date = dateOf(day);
      const deliver = (files = filesOf(day)) =>
        both((home) => home.delivers(day % 2 === 0 ? date : '', files, `${date}T06:15:00Z`));
      let flags: string[] = [];
      if (day === 2) {
        // A price that is not one: the agency sends the file again.
        deliver(filesOf(day, (catalog) => catalog.replace('$21.50', 'call')));
        expect((await runBoth(day, 1)).refused).toMatchObject({ fault_count: 1 });
        expect(calm.names('incoming')).toContain(join(date, 'catalog.csv'));
      } else if (day === 3) {
        deliver(filesOf(day, (catalog) => catalog.replace(/^(?:2310|2311|10450),.*\r\n/gm, '')));
        expect((await runBoth(day, 1)).refused.message).toContain('--accept-shrink');
        flags = ['--accept', 'catalog'];
      } else if (day === 4) {
        flags = ['--corrects', revisions.at(-1) ?? '', '--reason', 'Three products were missing.'];
      } else if (day === 5) {
        // The folder of the second day arrives again.
        both((home) => home.delivers(dateOf(2), filesOf(2)));
      }
      // On the sixth day nothing arrives.
      if (day !== 6 && day !== 3) deliver();
      const summary = await runBoth(day, 0, ...flags);
      expect(summary.published).toHaveLength(day === 6 ? 0 : 1);
      expect(summary.redelivered).toHaveLength(day === 5 ? 1 : 0);
      if (summary.published[0]) revisions.push(summary.published[0].revision);
    }

    expect(restless.rows()).toEqual(calm.rows());
    expect(restless.sequence).toBe(days - 1);
    for (const folder of ['incoming', 'published', 'imported', 'redelivered', '.update']) {
      expect(restless.names(folder), folder).toEqual(calm.names(folder));
    }
    for (const file of ['current.json', 'site/v1/metadata/publications.json']) {
      expect(readFileSync(restless.at('dist', file), 'utf8')).toBe(readFileSync(calm.at('dist', file), 'utf8'));
    }
    expect(readFileSync(calm.at('dist/site/v1/metadata.json'), 'utf8')).toContain('Three products were missing.');
    for (const name of ['importing', 'publishing', 'building', 'verifying'])
      expect(kills[name], name).toBeGreaterThan(0);
  },
  900_000,
);
