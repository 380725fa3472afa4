import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { icebergTable } from '../../contract/schemas/iceberg.ts';
import { credentials } from '../deploy/swift-configuration.ts';
import { swiftPrograms } from '../deploy/swift-server.ts';
import { deploy, SwiftAccount } from '../deploy/test-bed.ts';
import { icebergAnswer, summedColumns } from '../research/iceberg-answers.ts';
import { needing, program } from '../support/installed-programs.ts';
import { sharedSwift } from '../support/shared-servers.ts';
import { build, publishFixtures, temporaryFolder } from '../units/fixture-series.ts';

/** A package of its own: `npm ci --prefix test/clickhouse`. */
const engine = 'ClickHouse';
const { path: folder, remove } = temporaryFolder();
const publications = [9, 10, 11, 12];

describe('ClickHouse reads the tables in a bucket', needing(engine, ...swiftPrograms), () => {
  let sql: Database.Database;
  let tables: string;

  beforeAll(async () => {
    const [database, site] = [join(folder, 'publication.sqlite'), join(folder, 'site')];
    const swift = new SwiftAccount(await sharedSwift());
    const url = `s3://${await swift.createBucket()}/site`;
    await publishFixtures(database);
    await build(database, site, { choices: { iceberg: url } });
    await deploy(site, url, swift.endpoint);
    swift.client.destroy();
    tables = url.replace('s3:/', swift.endpoint);
    sql = new Database(database, { readonly: true });
  });
  afterAll(() => {
    sql?.close();
    remove();
  });

  /** The table as SQL names it. */
  const of = (table: string) =>
    `icebergS3('${tables}/v1/iceberg/${table}', '${credentials.accessKeyId}', '${credentials.secretAccessKey}')`;

  /** The rows that answer each query. */
  function ask(...queries: readonly string[]): Record<string, unknown>[][] {
    const script = new URL('query.mjs', import.meta.url).pathname;
    const options = { input: JSON.stringify(queries), cwd: folder, encoding: 'utf8' } as const;
    return JSON.parse(execFileSync(program(engine), [script], options));
  }

  test.each(icebergTable.options)('finds in %s, at each publication, what the database had', (table) => {
    const sums = summedColumns[table].map((column) => `, sum(${column}) AS ${column}`).join('');
    const found = ask(
      ...publications.map(
        (at) => `SELECT count() AS rows${sums} FROM ${of(table)} SETTINGS iceberg_snapshot_id = ${at}`,
      ),
    );
    const expected = publications.map((at) => icebergAnswer(sql, table, at, publications[0] ?? 0));
    expect(found.flat()).toEqual(expected);
  });

  test('finds a publication by its time, and joins tables', () => {
    const { sequence, published } = sql
      .prepare(`SELECT sequence, unixepoch(published_at) * 1000 AS published FROM publication WHERE sequence = 10`)
      .get() as { sequence: number; published: number };
    const at = (time: number) =>
      `SELECT max(publication) AS found FROM ${of('daily')} SETTINGS iceberg_timestamp_ms = ${time}`;
    const names = `SELECT count() AS rows, uniqExact(p.name) AS names FROM ${of('daily')} d
      JOIN ${of('products')} p USING agency_sku WHERE d.publication = 12 AND p.price_amount = d.price_amount`;
    const priced = sql
      .prepare(`SELECT count(*) AS rows, count(DISTINCT name) AS names FROM product_version
        WHERE last_publication IS NULL AND price_minor IS NOT NULL`)
      .get();
    expect(ask(at(published), at(published - 1), names).flat()).toEqual([{ found: sequence }, { found: 9 }, priced]);
  });

  test('skips files by the bounds of their columns', () => {
    const [counts, skipped] = ask(
      `SELECT count() AS rows FROM ${of('changes')} WHERE publication = 11`,
      `SELECT value FROM system.events WHERE event = 'IcebergMinMaxIndexPrunedFiles'`,
    );
    expect(counts).toEqual([sql.prepare('SELECT count(*) AS rows FROM event WHERE publication = 11').get()]);
    expect(skipped).toEqual([{ value: publications.length - 1 }]);
  });
});
