import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { objectPath } from '../../contract/paths.ts';
import type { Pointer, Route } from '../../contract/schemas/site-files.ts';

/** Reads the pointer, root, shards and objects of a site, without using the project's own reader. */
export function readSite(dist: string, root?: Pointer['routes']): { pointer: Pointer; routes: Map<string, Route> } {
  const pointer = JSON.parse(readFileSync(join(dist, 'current.json'), 'utf8')) as Pointer;
  const table = readJson(dist, (root ?? pointer.routes).sha256) as { shards: { sha256: string }[] };
  const routes = table.shards.flatMap(({ sha256 }) => (readJson(dist, sha256) as { routes: Route[] }).routes);
  return { pointer, routes: new Map(routes.map((route) => [route.path, route])) };
}

export function readJson(dist: string, sha256: string): unknown {
  return JSON.parse(readFileSync(join(dist, objectPath(sha256)), 'utf8'));
}

/** The document at an address. */
export function documentAt<Shape>(dist: string, path: string): Shape {
  const route = readSite(dist).routes.get(path);
  if (!route) throw new Error(`no route ${path}`);
  return readJson(dist, route.sha256) as Shape;
}

/** Every file in a folder, with its path, the hash of its bytes and the time of the last write. */
export function readTree(folder: string): Map<string, { sha256: string; written: number }> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  const entry = (path: string) => ({ sha256: hash('sha256', readFileSync(path)), written: statSync(path).mtimeMs });
  return new Map(files.map((name) => [name, entry(join(folder, name))]));
}

/**
 * The path, hash, ETag and variants of every route, and the time of immutable ones. Two builds of one database must
 * give the same.
 */
export function routeIdentities(routes: ReadonlyMap<string, Route>): string[] {
  return [...routes.values()]
    .map(({ path, sha256, etag, variants, cache, last_modified }) =>
      JSON.stringify([path, sha256, etag, variants, cache === 'immutable' ? last_modified : null]),
    )
    .sort();
}

/** The objects of the current publication that are missing or do not match their hash. */
export function brokenObjects(dist: string): string[] {
  const { routes } = readSite(dist);
  const objects = [...routes.values()].flatMap((route) => [route, ...(route.variants ?? [])]);
  return [...new Set(objects.map(({ sha256 }) => sha256))].filter((sha256) => {
    const path = join(dist, objectPath(sha256));
    return !existsSync(path) || hash('sha256', readFileSync(path)) !== sha256;
  });
}
