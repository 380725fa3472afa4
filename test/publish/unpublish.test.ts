import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildSite } from '../../generator/assembly/build-site.ts';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { unpublishLast } from '../../generator/database/unpublish.ts';
import { acquireLock } from '../../generator/files/file-lock.ts';
import { guardNames } from '../../generator/publish/guards/guards.ts';
import { type PublishOptions, publishSnapshot } from '../../generator/publish/publish.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { dumpOf } from '../support/database-dump.ts';
import { programFile } from '../support/programs.ts';
import { randomWorld } from '../support/random-world.ts';
import { writeSnapshot } from '../support/snapshot-writer.ts';
import { folderForFile } from '../support/temporary-folder.ts';
import { build } from '../units/fixture-series.ts';

const root = folderForFile();

const options: PublishOptions = { quarantine: false, accept: guardNames };

/** Writes the snapshots of a random world, oldest first. */
function worldOf(seed: number, publications: number): { folder: string; database: string; snapshots: string[] } {
  const folder = mkdtempSync(join(root, 'world-'));
  const snapshots = randomWorld({ seed, products: 6, stores: 4, publications }).map((snapshot, index) =>
    writeSnapshot(join(folder, `snapshot-${index}`), snapshot),
  );
  return { folder, database: join(folder, 'publication.sqlite'), snapshots };
}

test('unpublish after publish is the database before, and publishing again is the database after', async () => {
  const worlds = fc.record({ seed: fc.nat(), publications: fc.integer({ min: 2, max: 6 }) });
  await fc.assert(
    fc.asyncProperty(worlds, async ({ seed, publications }) => {
      const { database, snapshots } = worldOf(seed, publications);
      const connection = openForPublishing(database);
      try {
        const dumps = [];
        for (const [index, snapshot] of snapshots.entries()) {
          const latest = connection.prepare('SELECT revision FROM publication ORDER BY sequence DESC LIMIT 1').pluck();
          const revisions = index % 2 === 1 ? [String(latest.get())] : null;
          const correction = revisions && { revisions, reason: 'a price was wrong' };
          await publishSnapshot(connection, snapshot, { ...options, correction });
          dumps.push(dumpOf(connection));
        }
        for (let index = publications - 1; index > 0; index -= 1) {
          expect(unpublishLast(connection, () => undefined)?.removed.sequence).toBe(index + 1);
          expect(dumpOf(connection), `after publication ${index}`).toEqual(dumps[index - 1]);
        }
        await publishSnapshot(connection, snapshots[1] as string, options);
        unpublishLast(connection, () => undefined);
        expect(dumpOf(connection)).toEqual(dumps[0]);
        expect(unpublishLast(connection, () => undefined)?.latest).toBeNull();
        expect(existsSync(database)).toBe(false);
      } finally {
        connection.close();
      }
    }),
    { seed: 7, numRuns: 6 },
  );
});

test('the command takes back a publication that no site has, and refuses one that a site has', async () => {
  const { folder, database, snapshots } = worldOf(11, 2);
  const site = join(folder, 'site');
  const publish = async (index: number) => {
    const connection = openForPublishing(database);
    const published = await publishSnapshot(connection, snapshots[index] as string, options);
    connection.close();
    return published;
  };
  const first = await publish(0);
  await build(database, site);
  const second = await publish(1);
  const taken = await runInProcess('unpublish', '--db', database, '--out', site);
  expect(taken).toEqual({
    code: 0,
    stdout: `took back publication 2, revision ${second.revision}, published ${second.published_at}\n${database} is at publication 1, revision ${first.revision}, published ${first.published_at}\n`,
    stderr: '',
  });
  expect(await runInProcess('unpublish', '--db', database, '--out', site)).toEqual({
    code: 1,
    stdout: '',
    stderr: `shelfpress: ${site} has publication 1, which readers may have seen; publish a correct snapshot with --corrects ${first.revision} instead [correction]\n`,
  });
  const last = await runInProcess('unpublish', '--db', database, '--json');
  expect(JSON.parse(last.stdout)).toMatchObject({ sequence: 1, revision: first.revision, latest: null });
  expect(existsSync(database)).toBe(false);
  expect((await runInProcess('unpublish', '--db', database)).stderr).toBe(
    `shelfpress: no database at ${database}: shelfpress publish creates it [database_missing]\n`,
  );
});

test('the command refuses what is no site, and a site that a build is working on', async () => {
  const { folder, database, snapshots } = worldOf(12, 2);
  const connection = openForPublishing(database);
  for (const snapshot of snapshots) await publishSnapshot(connection, snapshot, options);
  connection.close();
  const site = join(folder, 'site');
  const before = readFileSync(database);
  const refused = async (out: string, said: string) => {
    const { code, stderr } = await runInProcess('unpublish', '--db', database, '--out', out);
    expect([code, stderr]).toEqual([1, expect.stringContaining(said)]);
  };
  await refused(site, `${site}: expected the folder of a site, got no such file or folder`);
  await refused(folder, `${folder}: expected the folder of a site, got one without current.json`);
  const lock = acquireLock(join(site, 'build.lock'));
  await refused(site, `a build is running in ${site}: wait until it ends`);
  lock?.release();
  expect(readFileSync(database).equals(before)).toBe(true);
  expect(await runInProcess('unpublish', '--db', database, '--out', site)).toMatchObject({ code: 0 });
});

test('a publication that is taken back while it is built is not shown', async () => {
  const { folder, database, snapshots } = worldOf(13, 3);
  const [first, second, third] = snapshots as [string, string, string];
  const [connection, rival] = [openForPublishing(database), openForPublishing(database)];
  try {
    for (const snapshot of [first, second]) await publishSnapshot(connection, snapshot, options);
    const site = join(folder, 'site');
    let looks = 0;
    const building = buildSite(
      { database, out: site, baseUrl: null, exports: 'retained', keepAll: false, full: false },
      (stage) => {
        if (stage === 'joining tables' && ++looks === 1) unpublishLast(rival, () => undefined);
      },
    );
    await expect(building).rejects.toThrow(
      /^publication 2, revision \S+, was taken back while it was being built: expected it in/,
    );
    expect(existsSync(join(site, 'current.json'))).toBe(false);
    await publishSnapshot(connection, third, options);
    await build(database, site);
    expect((await verifySite(site)).faults).toEqual([]);
  } finally {
    connection.close();
    rival.close();
  }
});

test('a link to the database stays when the file goes', async () => {
  const { folder, database, snapshots } = worldOf(14, 2);
  const [first = '', second = ''] = snapshots;
  const link = join(folder, 'link.sqlite');
  symlinkSync(database, link);
  expect((await runInProcess('publish', second.replace('snapshot-1', 'none'), '--db', link)).code).toBe(1);
  expect([existsSync(database), readlinkSync(link)]).toEqual([false, database]);
  expect((await runInProcess('publish', first, '--db', link)).code).toBe(0);
  expect((await runInProcess('unpublish', '--db', link)).code).toBe(0);
  expect([existsSync(database), readlinkSync(link)]).toEqual([false, database]);
});

test('a snapshot is checked again when another one takes the place of the last publication meanwhile', async () => {
  const { folder, database, snapshots } = worldOf(11, 3);
  const [first, second, third] = snapshots as [string, string, string];
  const other = join(folder, 'other');
  cpSync(first, other, { recursive: true });
  const header = (snapshot: string) => JSON.parse(readFileSync(join(snapshot, 'snapshot.json'), 'utf8'));
  const { published_at } = header(second);
  writeFileSync(join(other, 'snapshot.json'), JSON.stringify({ ...header(first), published_at }));
  const [connection, rival] = [openForPublishing(database), openForPublishing(database)];
  const alone = openForPublishing(join(folder, 'alone.sqlite'));
  try {
    for (const snapshot of [first, second]) await publishSnapshot(connection, snapshot, options);
    let looks = 0;
    const replaceLast = () => {
      unpublishLast(rival, () => undefined);
      const args = [programFile('generator/cli/cli.ts'), 'publish', other, '--db', database, '--accept', 'all'];
      execFileSync(process.execPath, args, { stdio: 'pipe' });
    };
    const progress = (stage: string) => {
      if (stage === 'reading' && ++looks === 1) setImmediate(replaceLast);
    };
    await publishSnapshot(connection, third, { ...options, progress });
    for (const snapshot of [first, other, third]) await publishSnapshot(alone, snapshot, options);
    expect(dumpOf(connection)).toEqual(dumpOf(alone));
  } finally {
    for (const each of [connection, rival, alone]) each.close();
  }
});
