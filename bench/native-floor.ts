import { copyFileSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { Lab } from './lab.ts';
import type { Run } from './measure.ts';

/**
 * What a full build cannot avoid, done with native tools one after another: a copy of the files, both hashes of each
 * object, and the compression of the exports and of the pieces of the change history. $1: the site. $2: a folder for
 * the copy. $3: a folder of NDJSON.
 */
const floor = `
  cp -rL "$1/site" "$2" &&
  find "$1/objects" -type f -exec openssl sha256 {} + > /dev/null &&
  find "$1/objects" -type f -exec md5sum {} + > /dev/null &&
  gzip -6 -r "$3"`;

export const floorName = '`cp -rL`, `openssl sha256`, `md5sum` and `gzip -6`';

/** The files of a checkout, and the NDJSON files among them. Sizes are in bytes, for NDJSON uncompressed. */
export type SiteSize = {
  readonly files: number;
  readonly bytes: number;
  readonly ndjsonFiles: number;
  readonly ndjsonBytes: number;
};

export const floorWithTablesName = 'the same, `gzip -6` of what has a gzip variant, and DuckDB writing the Parquet';

/**
 * Also the rest of what a build compresses: `gzip` of the documents that have such a variant, and the Parquet files,
 * read and written by DuckDB on one thread. Brotli is not included, nor the tables over time, which are joined from
 * others.
 */
export type Floors = { readonly run: Run; readonly withTables: Run; readonly size: SiteSize };

/** Runs the native tools on a built site, in folders that are removed afterwards. */
export async function runFloor(lab: Lab, site: string): Promise<Floors> {
  const { workspace } = lab;
  const [copy, unpacked, documents] = [workspace.path('copy'), workspace.path('ndjson'), workspace.path('documents')];
  const [tables, written] = [workspace.path('parquet'), workspace.path('written')];
  const checkout = realpathSync(join(site, 'site'));
  const size = unpackNdjson(checkout, unpacked);
  const run = await lab.run(['sh', '-c', floor, 'sh', site, copy, unpacked]);
  takeOut(checkout, documents, (path) =>
    path.endsWith('.gz') && !/\.(?:ndjson|csv)\.gz$/.test(path) ? path.slice(0, -3) : null,
  );
  takeOut(checkout, tables, (path) => (path.endsWith('.parquet') && !isOverTime(path) ? path : null));
  mkdirSync(written);
  const more = [
    await lab.run(['gzip', '-6', '-r', documents]),
    await lab.run([process.execPath, duckdbParquet, tables, written]),
  ];
  workspace.remove(copy, unpacked, documents, tables, written);
  return { run, withTables: more.reduce(joined, run), size };
}

const duckdbParquet = fileURLToPath(new URL('./queries/duckdb-parquet.mjs', import.meta.url));

/** Whether a table consists of the rows of others. */
function isOverTime(path: string): boolean {
  return ['changes.parquet', 'daily.parquet'].some((name) => path.endsWith(`/exports/${name}`));
}

/** One program after the other. */
function joined(first: Run, next: Run): Run {
  const knows = first.cpuSeconds !== null && next.cpuSeconds !== null;
  return {
    seconds: first.seconds + next.seconds,
    cpuSeconds: knows ? (first.cpuSeconds ?? 0) + (next.cpuSeconds ?? 0) : null,
    peakBytes: Math.max(first.peakBytes ?? 0, next.peakBytes ?? 0) || null,
    output: next.output,
  };
}

/** Copies files into a folder, each by the path that `wanted` gives for a path below `checkout`; null for none. */
function takeOut(checkout: string, target: string, wanted: (path: string) => string | null): void {
  mkdirSync(target);
  let number = 0;
  for (const { parentPath: path, name } of filesIn(checkout)) {
    const file = wanted(join(path, name));
    if (file === null) continue;
    number += 1;
    copyFileSync(file, join(target, `${number}-${basename(file)}`));
  }
}

function filesIn(checkout: string) {
  return readdirSync(checkout, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
}

function unpackNdjson(checkout: string, target: string): SiteSize {
  mkdirSync(target);
  const entries = filesIn(checkout);
  const size = { files: entries.length, bytes: 0, ndjsonFiles: 0, ndjsonBytes: 0 };
  for (const { parentPath: path, name } of entries) {
    const file = join(path, name);
    size.bytes += statSync(file).size;
    if (!name.endsWith('.ndjson.gz')) continue;
    const lines = gunzipSync(readFileSync(file));
    size.ndjsonFiles += 1;
    size.ndjsonBytes += lines.length;
    writeFileSync(join(target, `${size.ndjsonFiles}-${basename(name, '.gz')}`), lines);
  }
  return size;
}
