import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Taken, Workspace } from './workspace.ts';

/** The arguments of the script are the site, a folder for the copy, and a folder of files to compress. */
const script = `
  cp -rL "$1/site" "$2" &&
  find "$1/objects" -type f -exec openssl sha256 {} + > /dev/null &&
  find "$1/objects" -type f -exec md5sum {} + > /dev/null &&
  gzip -6 -r "$3"`;

/**
 * What a build from nothing cannot avoid, done with native tools: a copy of the files, both hashes of each object, and
 * gzip of every answer that the site also has compressed with gzip. Brotli and Parquet are left out.
 */
export async function nativeFloor(workspace: Workspace, site: string): Promise<Taken> {
  const [copy, unpacked] = [workspace.path('copy'), workspace.path('unpacked')];
  mkdirSync(unpacked);
  const checkout = realpathSync(join(site, 'site'));
  const packed = readdirSync(checkout, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.gz'));
  for (const [index, name] of packed.entries()) {
    writeFileSync(join(unpacked, String(index)), gunzipSync(readFileSync(join(checkout, name))));
  }
  const taken = await workspace.run(['sh', '-c', script, 'sh', site, copy, unpacked]);
  workspace.remove(copy, unpacked);
  return taken;
}
