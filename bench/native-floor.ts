import { mkdirSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Lab } from './lab.ts';
import type { Run } from './measure.ts';

/**
 * What a full build cannot avoid, by native tools, one after another: a copy of the files, both hashes of each object,
 * and the compression of the exports and of the pieces of the change history. $1: the site. $2: a folder for the copy.
 * $3: a folder of NDJSON.
 */
const floor = `
  cp -rL "$1/site" "$2" &&
  find "$1/objects" -type f -exec openssl sha256 {} + > /dev/null &&
  find "$1/objects" -type f -exec md5sum {} + > /dev/null &&
  gzip -6 -r "$3"`;

export const floorName = '`cp -rL`, `openssl sha256`, `md5sum` and `gzip -6`';

/** The files of a checkout and of the NDJSON among them. Sizes in bytes, of NDJSON without its compression. */
export type SiteSize = {
  readonly files: number;
  readonly bytes: number;
  readonly ndjsonFiles: number;
  readonly ndjsonBytes: number;
};

/** Runs the native tools on a site that was built, in folders that are removed. */
export async function runFloor(lab: Lab, site: string): Promise<{ run: Run; size: SiteSize }> {
  const { workspace } = lab;
  const [copy, unpacked] = [workspace.path('copy'), workspace.path('ndjson')];
  const size = unpackNdjson(realpathSync(join(site, 'site')), unpacked);
  const done = await lab.run(['sh', '-c', floor, 'sh', site, copy, unpacked]);
  workspace.remove(copy, unpacked);
  return { run: done, size };
}

function unpackNdjson(checkout: string, target: string): SiteSize {
  mkdirSync(target);
  const entries = readdirSync(checkout, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const size = { files: entries.length, bytes: 0, ndjsonFiles: 0, ndjsonBytes: 0 };
  for (const { path, name } of entries) {
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
