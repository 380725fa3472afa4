import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { icebergManifests, icebergMetadata, icebergRead } from 'icebird';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IcebergMetadata, icebergTable } from '../../contract/schemas/iceberg.ts';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import { catalogs } from '../../generator/catalogs/catalogs.ts';
import { mirrorSite } from '../../generator/copies/mirror/mirror.ts';
import type { Storage } from '../../generator/site/storage.ts';
import { StaticHost } from '../mirror/static-host.ts';
import { Duckdb } from '../project/duckdb-query.ts';
import { RunningServer } from '../serve/running-server.ts';
import { freePort } from '../support/ports.ts';
import { build, expectAsFromNothing, publishFixtures, temporaryFolder } from '../units/fixture-series.ts';
import { readSite } from '../units/site-tree.ts';
import { EditedSite } from '../verify/edited-site.ts';
import { icebergAnswer, summedColumns } from './iceberg-answers.ts';
import { boundText } from './iceberg-bounds.ts';

const { path: folder, remove } = temporaryFolder();
const [database, site] = [join(folder, 'publication.sqlite'), join(folder, 'site')];
let server: RunningServer;
let iceberg: string;
let sql: Database.Database;

beforeAll(async () => {
  const port = await freePort();
  iceberg = `http://127.0.0.1:${port}`;
  for (const [from, to] of [
    [0, 10],
    [10, 11],
    [11, 12],
  ] as const) {
    await publishFixtures(database, from, to);
    await build(database, site, { choices: { iceberg } });
  }
  server = await RunningServer.start([site, '--port', String(port)]);
  sql = new Database(database, { readonly: true });
});
afterAll(async () => {
  sql?.close();
  await server?.[Symbol.asyncDispose]();
  remove();
});

const urlOf = (table: string) => `${iceberg}/v1/iceberg/${table}`;

async function metadataOf(table: string): Promise<IcebergMetadata> {
  return (await icebergMetadata({ tableUrl: urlOf(table) })) as unknown as IcebergMetadata;
}

/** The rows of a table at a publication, as an engine reads them that knows nothing but the address of the table. */
async function rowsAt(table: string, sequence: number): Promise<Record<string, unknown>[]> {
  const metadata = { ...(await metadataOf(table)), 'current-snapshot-id': sequence };
  return icebergRead({ tableUrl: urlOf(table), metadata: metadata as never });
}

const sum = (rows: readonly Record<string, unknown>[], column: string) =>
  rows.reduce((total, row) => total + Number(row[column] ?? 0), 0);

describe('an engine that reads the tables over HTTP', () => {
  test.each(icebergTable.options)('finds in %s, at each publication, what the database had', async (table) => {
    const { snapshots, refs, 'current-snapshot-id': current } = await metadataOf(table);
    const [first] = snapshots;
    expect(snapshots.length).toBeGreaterThan(3);
    const hint = await fetch(`${urlOf(table)}/metadata/version-hint.text`);
    expect(await hint.text()).toBe('12');
    expect(current).toBe(12);
    const columns = summedColumns[table];
    for (const { 'snapshot-id': at, summary } of snapshots) {
      const rows = await rowsAt(table, at);
      const found = { rows: rows.length, ...Object.fromEntries(columns.map((column) => [column, sum(rows, column)])) };
      expect(found, `${table} at ${at}`).toEqual(icebergAnswer(sql, table, at, first?.['snapshot-id'] ?? 0));
      expect(summary['total-records']).toBe(String(rows.length));
      const { revision } = sql.prepare('SELECT revision FROM publication WHERE sequence = ?').get(at) as {
        revision: string;
      };
      expect(refs[revision]).toEqual({ 'snapshot-id': at, type: 'tag' });
    }
  });

  test('reads files that are there anyway, and only those of the changes of a publication are more', async () => {
    const plain = join(folder, 'plain');
    await build(database, plain);
    const [own, without] = [site, plain].map((one) => {
      const routes = [...readSite(one).routes.values()];
      return new Set(routes.flatMap(({ path, last_sequence }) => (last_sequence === undefined ? path : [])));
    });
    const more = [...(own ?? [])].filter((path) => !without?.has(path) && path.endsWith('.parquet'));
    expect(more.every((path) => /^\/v1\/exports\/[-0-9a-f]{36}\/changes\.parquet$/.test(path))).toBe(true);
    const manifests = await icebergManifests((await metadataOf('daily')) as never);
    const files = manifests.flatMap(({ entries }) => entries.map(({ data_file }) => data_file.file_path));
    for (const file of files) expect(without).toContain(file.slice(iceberg.length));
  });

  test.each(icebergTable.options)('can skip files of %s by bounds that hold', async (table) => {
    const duckdb = await Duckdb.open(folder);
    const { schemas } = await metadataOf(table);
    const fields = schemas[0]?.fields ?? [];
    let bounds = 0;
    for (const { entries } of await icebergManifests((await metadataOf(table)) as never)) {
      for (const { data_file: file } of entries) {
        const local = join(site, 'site', file.file_path.slice(iceberg.length));
        const sides = [file.lower_bounds ?? [], file.upper_bounds ?? []] as unknown as {
          key: number;
          value: Uint8Array;
        }[][];
        const checks = sides.flatMap((side, index) =>
          side.map(({ key, value }) => {
            const { name = '', type = '' } = fields.find(({ id }) => id === key) ?? {};
            return `("${name}" ${index === 0 ? '<' : '>'} ${boundText(String(type), value)})`;
          }),
        );
        bounds += checks.length;
        const { rows } = await duckdb.query(`SELECT count(*) FROM '${local}' WHERE ${checks.join(' OR ')}`);
        expect(rows, `${table}: ${file.file_path}`).toEqual([['0']]);
        const counted = await duckdb.query(
          `SELECT count(*), ${fields.map(({ name }) => `count(*) - count("${name}")`).join(', ')} FROM '${local}'`,
        );
        const [count, ...nulls] = counted.rows[0] ?? [];
        expect(String(file.record_count)).toBe(count);
        const stated = file.null_value_counts as unknown as { key: number; value: bigint }[];
        for (const { key, value } of stated) expect(String(value), `${table} ${key}`).toBe(nulls[key - 1]);
      }
    }
    expect(bounds).toBeGreaterThan(10);
  });
});

test.each(icebergTable.options)('who holds the metadata of %s at a kept publication reads all of it', async (table) => {
  // The files of a publication expired in between.
  for (const number of [10, 11]) {
    const metadataFileName = `v${number}.metadata.json`;
    const metadata = await icebergMetadata({ tableUrl: urlOf(table), metadataFileName });
    const { snapshots, 'current-snapshot-id': current } = metadata as unknown as IcebergMetadata;
    expect(current).toBe(number);
    for (const { 'snapshot-id': at, summary } of [snapshots[0], snapshots.at(-1)].flatMap((one) => one ?? [])) {
      const of = { ...metadata, 'current-snapshot-id': at };
      const rows = await icebergRead({ tableUrl: urlOf(table), metadata: of as never });
      expect(String(rows.length), `${table} at ${at} of ${number}`).toBe(summary['total-records']);
    }
  }
  const oldest = async (number: number) => {
    const metadataFileName = `v${number}.metadata.json`;
    const { snapshots } = (await icebergMetadata({
      tableUrl: urlOf(table),
      metadataFileName,
    })) as unknown as IcebergMetadata;
    return snapshots[0]?.['snapshot-id'];
  };
  expect(await oldest(10)).toBeLessThan((await oldest(12)) ?? 0);
});

test('a site whose tables are taken away is sound, and so is one that gets them back', async () => {
  const other = join(folder, 'taken-away');
  cpSync(site, other, { recursive: true, verbatimSymlinks: true });
  await build(database, other);
  expect((await verifySite(other)).faults).toEqual([]);
  expect(readSite(other).routes.get('/v1/iceberg/daily/metadata/v12.metadata.json')).toBeUndefined();
  await build(database, other, { choices: { iceberg } });
  expect((await verifySite(other)).faults).toEqual([]);
});

test('built day by day, the tables are those of a build from nothing, and only new files are written', async () => {
  const fresh = join(folder, 'fresh');
  await build(database, fresh, { choices: { iceberg } });
  const [before, after] = [site, fresh].map((one) => {
    const routes = [...readSite(one).routes.values()].filter(({ last_sequence }) => last_sequence === undefined);
    return routes.map(({ path, sha256 }) => `${path} ${sha256}`).sort();
  });
  expect(before).toEqual(after);
  expect((await verifySite(site)).faults).toEqual([]);
  await expectAsFromNothing(database, join(folder, 'plain'));
});

test('at another URL only the metadata is made again', async () => {
  const { written } = await build(database, join(folder, 'fresh'), { choices: { iceberg: 's3://bucket/site' } });
  const metadata = [...readSite(join(folder, 'fresh')).routes.keys()].filter((path) => path.startsWith('/v1/iceberg/'));
  expect(written).toBeGreaterThan(0);
  expect(written).toBeLessThanOrEqual(metadata.length);
});

describe('verification', () => {
  const manifest = /^\/v1\/iceberg\/daily\/metadata\/[-0-9a-f]{36}\.avro$/;

  test('finds a damaged manifest, and one that says something else under right hashes', async () => {
    const damaged = new EditedSite(site);
    const [path = ''] = damaged.paths(manifest);
    damaged.flipByte(damaged.objectOf(path));
    expect(await damaged.faults()).toContain(`object_damaged ${damaged.objectOf(path)}`);
    const edited = new EditedSite(site);
    const [one = '', other = ''] = edited.paths(manifest);
    edited.replace(one, edited.bytes(edited.objectOf(other)));
    expect(await edited.faults()).toEqual([`iceberg_mismatch ${one}`]);
  });

  test('finds metadata of other files, and a hint at another publication', async () => {
    const edited = new EditedSite(site);
    const metadata = '/v1/iceberg/changes/metadata/v12.metadata.json';
    edited.editDocument(metadata, (document) => {
      document.snapshots[0].summary['total-records'] = '1';
    });
    // The hints of all tables are the same bytes.
    const hints = edited.paths(/version-hint\.text$/);
    edited.replace(hints[0] ?? '', Buffer.from('11'));
    const expected = [metadata, ...hints].map((path) => `iceberg_mismatch ${path}`);
    expect(await edited.faults()).toEqual(expected.sort());
    const moved = new EditedSite(site);
    moved.editDocument('/v1/iceberg/products/metadata/v12.metadata.json', (document) => {
      document.location = 'http://elsewhere.example/v1/iceberg/products';
    });
    expect((await moved.faults()).length).toBeGreaterThan(0);
  });
});

describe('a mirror', () => {
  const options = { only: null, key: null, force: false };
  const completeFor = (icebergLocation: string) => (storage: Storage) =>
    catalogs.completeMirror(storage, { icebergLocation });

  test('has the tables at its own URL', async () => {
    const directory = join(folder, 'mirror');
    await using host = await StaticHost.start(directory);
    await mirrorSite({ url: server.origin, directory, ...options, complete: completeFor(host.url) }, () => undefined);
    const tableUrl = `${host.url}/iceberg/daily`;
    const rows = await icebergRead({ tableUrl });
    expect(rows).toEqual(await rowsAt('daily', 12));
    expect(host.requests.some((path) => path.startsWith('/site/v1/exports/'))).toBe(true);
    expect((await verifySite(directory)).faults).toEqual([]);
    // A list has a hash of its URLs in its name.
    const written = () =>
      readdirSync(join(directory, 'iceberg/daily/metadata')).map((name) => name.replace(/-[0-9a-f]{16}\./, '.'));
    const names = written().sort();
    const again = { url: server.origin, directory, ...options, complete: completeFor('file:///srv/mirror') };
    await mirrorSite(again, () => undefined);
    expect(written().sort()).toEqual(names);
    const metadata = JSON.parse(readFileSync(join(directory, 'iceberg/daily/metadata/v12.metadata.json'), 'utf8'));
    expect(metadata.location).toBe('file:///srv/mirror/iceberg/daily');
  });

  test('of a site without tables says who adds them', async () => {
    await using host = await StaticHost.start(join(folder, 'plain'));
    const directory = join(folder, 'other-mirror');
    const run = mirrorSite({ url: host.url, directory, ...options, complete: completeFor(host.url) }, () => undefined);
    await expect(run).rejects.toThrow(/expected it in the mirror.*the operator adds them with build --iceberg/);
  });
});
