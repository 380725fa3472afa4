import { type ObjectReference, type Pointer, type Route, routeTableRoot, shard } from '../contract/formats/site.ts';
import { objectPath } from '../contract/paths.ts';
import { Failure } from '../failure.ts';
import { jsonObject } from '../remote/json-object.ts';
import type { S3Bucket } from './bucket.ts';
import type { LocalSite } from './local-site.ts';
import { documentName, isDeliveredAlike } from './upload.ts';

/** What goes first when it leaves: a route table stays until nothing is left of what it names. */
export type Part = 'document' | 'object' | 'shard' | 'root';

/**
 * What the pointers of a bucket say of its keys: `parts` are those that deploys of this site put there; of the documents in
 * `alike` it is known that they were put with the headers that they are to have, of those in `otherwise` that they were not.
 */
export type KnownNames = {
  readonly parts: Map<string, Part>;
  readonly alike: Set<string>;
  readonly otherwise: Set<string>;
};

/**
 * Reads the route tables that pointers name, those that the site has too from its folder, others from the bucket, each held
 * against its hash. A part that is not there named nothing that is there: tables go up before all else and leave after it.
 * `keys`: names that need not be told of where they are not among them. Throws a Failure when a part is damaged; with
 * `force` it is passed over, and what it named stays.
 */
export async function readKnownNames(
  pointers: readonly Pointer[],
  { bucket, site, force }: { readonly bucket: S3Bucket; readonly site: LocalSite; readonly force: boolean },
  isThere: (name: string) => boolean,
): Promise<KnownNames> {
  const known: KnownNames = { parts: new Map(), alike: new Set(), otherwise: new Set() };
  const { parts } = known;
  const note = (name: string, part: Part) => {
    if (isThere(name) && !parts.has(name)) parts.set(name, part);
  };
  const read = (reference: ObjectReference) => readPart(reference, bucket, site, force);
  const seen = new Set<string>();
  for (const [root, isCurrent] of rootsOf(pointers)) {
    const rootBytes = await read(root);
    note(objectPath(root.sha256), 'root');
    const { shards } = rootBytes ? jsonObject(rootBytes, routeTableRoot, objectPath(root.sha256)) : { shards: [] };
    for (const reference of shards) {
      if (seen.has(reference.sha256)) continue;
      const bytes = await read(reference);
      note(objectPath(reference.sha256), 'shard');
      if (bytes === null) continue;
      for (const route of jsonObject(bytes, shard, objectPath(reference.sha256)).routes) {
        note(objectPath(route.sha256), 'object');
        for (const variant of route.variants ?? []) note(objectPath(variant.sha256), 'object');
        if (isCurrent) noteDocument(known, route, site.routes.get(route.path), note);
      }
      // What was read for the objects of a publication before is read once more for documents.
      if (isCurrent) seen.add(reference.sha256);
    }
  }
  return known;
}

function noteDocument(
  { alike, otherwise }: KnownNames,
  route: Route,
  wanted: Route | undefined,
  note: (name: string, part: Part) => void,
): void {
  const name = documentName(route.path);
  note(name, 'document');
  if (wanted?.sha256 === route.sha256) (isDeliveredAlike(wanted, route) ? alike : otherwise).add(name);
}

/** The roots that pointers name, each once, those first that are current in one of them: they have documents too. */
function rootsOf(pointers: readonly Pointer[]): (readonly [ObjectReference, boolean])[] {
  const current = new Map(pointers.map(({ routes }) => [routes.sha256, routes]));
  const kept = new Map<string, ObjectReference>();
  for (const { publications } of pointers) {
    for (const { routes } of publications) if (routes && !current.has(routes.sha256)) kept.set(routes.sha256, routes);
  }
  return [
    ...[...current.values()].map((root) => [root, true] as const),
    ...[...kept.values()].map((root) => [root, false] as const),
  ];
}

async function readPart(
  { sha256 }: ObjectReference,
  bucket: S3Bucket,
  { uploads, storage }: LocalSite,
  force: boolean,
): Promise<Uint8Array | null> {
  const name = objectPath(sha256);
  if (uploads.get(name)?.kind === 'route_tables') return storage.read(name);
  try {
    return await bucket.read(name, sha256);
  } catch (error) {
    if (force && error instanceof Failure) return null;
    throw error instanceof Failure ? new Failure(`${error.message}; --force leaves what it named`) : error;
  }
}
