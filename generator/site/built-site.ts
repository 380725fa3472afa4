import { formatPath, pointerFile } from '../../contract/paths.ts';
import { type Profile, usualProfile } from '../../contract/profile.ts';
import { metadataProfile } from '../../contract/schemas/metadata.ts';
import type { Pointer } from '../../contract/schemas/site-files.ts';
import { parsePointer } from '../../contract/site/pointer.ts';
import { explainFile, Failure } from '../files/failure.ts';
import { documentIn, type Routes, type RouteTable, readTable } from './route-table.ts';
import type { Storage } from './storage.ts';

export type PreviousSite = RouteTable & { readonly pointer: Pointer };

/** The pointer of a site; null if there is none. Throws a Failure if the file is not a pointer. */
export function readPointer(storage: Storage): Pointer | null {
  const bytes = storage.read(pointerFile);
  if (bytes === null) return null;
  return parsePointer(bytes, 'known', () => {
    throw new Failure('site_damaged', `${pointerFile} is not the pointer of a site: move it away, then build`);
  });
}

/** Null if there is no site. */
export function readPreviousSite(storage: Storage): PreviousSite | null {
  const pointer = readPointer(storage);
  if (pointer === null) return null;
  return { pointer, ...readTable(storage, pointer.routes) };
}

/** Throws a Failure if there is no site, or if it cannot be read. */
export function requireBuiltSite(directory: string, storage: Storage): PreviousSite {
  const site = explainFile(`${directory}/${pointerFile}`, 'the pointer of a site', () => readPreviousSite(storage));
  if (site !== null) return site;
  throw new Failure('site_missing', `${directory}: expected a built site or a mirror, got no ${pointerFile}`);
}

/** Null if there is no document. Throws a Failure if its object is missing or not JSON. */
export function soundDocument(storage: Storage, routes: Routes, path: string): unknown {
  const document = documentIn(storage, routes, path);
  if (document === null && routes.has(path))
    throw new Failure(
      'site_damaged',
      `${path}: expected a document, got an object that is missing or damaged; verify the site`,
    );
  return document;
}

/** The profile that a site states. Throws a Failure if the document with the profile is damaged. */
export function profileIn(storage: Storage, routes: Routes): Profile {
  const document = soundDocument(storage, routes, formatPath('metadata'));
  return metadataProfile.parse(document).data.service.profile ?? usualProfile;
}

/** What the addresses in the service index have before `/v1`. Empty if they are paths; null if the index is missing. */
export function baseAddress(storage: Storage, { routes }: PreviousSite): string | null {
  type Index = { readonly data?: { readonly links?: { readonly products?: string } } };
  const address = documentIn<Index>(storage, routes, formatPath('service_index'))?.data?.links?.products;
  const path = formatPath('products');
  return address?.endsWith(path) ? address.slice(0, -path.length) : null;
}
