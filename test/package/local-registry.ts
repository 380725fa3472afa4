import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';

export type LockEntry = { readonly version: string; readonly integrity: string };

/** The name of the package at a place in a lock file, such as `node_modules/a/node_modules/@b/c`. */
export const nameAt = (place: string) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);

/**
 * A registry that has one package, described as in npm's own registry, and the packages in a lock file. Each of these
 * also has a newer version, which cannot be downloaded. Their archives come from npm's cache, or otherwise from npm's
 * registry.
 */
export async function startRegistry(
  archive: string,
  manifest: { readonly name: string; readonly version: string },
  lock: Readonly<Record<string, LockEntry>>,
) {
  const bytes = readFileSync(archive);
  const server = createServer((request, response) => {
    const name = decodeURIComponent(request.url?.slice(1) ?? '');
    if (name === basename(archive)) return void response.end(bytes);
    const described = name === manifest.name ? own() : locked(name);
    if (described === null) return void response.writeHead(404).end();
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(described));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  function own() {
    const { name, version } = manifest;
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    const dist = { tarball: url + basename(archive), integrity };
    return {
      name,
      'dist-tags': { latest: version },
      versions: { [version]: { ...manifest, dist, _hasShrinkwrap: true } },
    };
  }

  function locked(name: string) {
    const entries = Object.entries(lock).filter(([place]) => place !== '' && nameAt(place) === name);
    if (entries.length === 0) return null;
    const versions = entries.flatMap(([, entry]) => {
      const { version, integrity } = entry;
      const tarball = `https://registry.npmjs.org/${name}/-/${basename(name)}-${version}.tgz`;
      const newer = version.replace(/\d+$/, '9999');
      const missing = { tarball: `${url}${basename(name)}-${newer}.tgz`, integrity: `sha512-${'A'.repeat(86)}==` };
      return [
        [version, { ...entry, name, version, dist: { tarball, integrity } }] as const,
        [newer, { ...entry, name, version: newer, dist: missing }] as const,
      ];
    });
    return { name, 'dist-tags': { latest: versions.at(-1)?.[0] }, versions: Object.fromEntries(versions) };
  }

  return { url, [Symbol.asyncDispose]: () => new Promise<void>((done) => server.close(() => done())) };
}
