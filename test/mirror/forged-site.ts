import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ObjectReference, Pointer, Route } from '../../generator/contract/formats/site.ts';
import { writeTable } from '../../generator/site/route-table.ts';
import { Storage } from '../../generator/site/storage.ts';
import { readSite } from '../build/site-tree.ts';

/** Changes the routes of a site's current publication, and rewrites the route table and the pointer to match. */
export function forgeRoutes(folder: string, change: (routes: Route[]) => readonly Route[]): void {
  const storage = new Storage(folder);
  const routes = change([...readSite(folder).routes.values()]);
  forgePointer(folder, writeTable(storage, new Map(routes.map((route) => [route.path, route]))).reference);
}

/** Makes the pointer name another route table for its current publication. */
export function forgePointer(folder: string, routes: ObjectReference): void {
  const { pointer } = readSite(folder);
  const publications = pointer.publications.map((one) =>
    one.revision === pointer.revision ? { ...one, routes } : one,
  );
  const forged: Pointer = { ...pointer, routes, publications };
  writeFileSync(join(folder, 'current.json'), `${JSON.stringify(forged, null, 2)}\n`);
}
