import { hash } from 'node:crypto';
import type { ObjectReference, Pointer, Route, RouteTableRoot } from '../contract/formats/site.ts';
import { checkoutFolder, objectPath, pointerFile, signatureFile, siteLink } from '../contract/paths.ts';
import { Failure } from '../failure.ts';
import type { SigningKey } from './keys.ts';
import { misfitOf, signedLines } from './pointer-trust.ts';
import type { Storage } from './storage.ts';

const routesPerShard = 256;

/** Number of leading bits of a path's SHA-256 that select its shard. They give shards of about 256 routes or fewer. */
function shardBitsFor(routeCount: number): number {
  return Math.max(0, Math.ceil(Math.log2(routeCount / routesPerShard)));
}

/** The shard a path belongs to: the leading bits of its SHA-256. */
function shardOf(path: string, bits: number): number {
  return bits === 0 ? 0 : Number.parseInt(hash('sha256', path).slice(0, 8), 16) >>> (32 - bits);
}

/**
 * Writes the shards of a table and its root as objects. Returns the root. Throws a Failure when two routes have the
 * same path.
 */
export function writeRouteTable(storage: Storage, routes: readonly Route[]): ObjectReference {
  const bits = shardBitsFor(routes.length);
  const shards: Route[][] = Array.from({ length: 2 ** bits }, () => []);
  for (const route of routes) shards[shardOf(route.path, bits)]?.push(route);
  const references = shards.map((own) => {
    own.sort((a, b) => (a.path < b.path ? -1 : 1));
    for (const [index, { path }] of own.entries()) {
      if (own[index + 1]?.path === path) throw new Failure(`two documents claim the address ${path}`);
    }
    return writeObject(storage, { routes: own });
  });
  const root: RouteTableRoot = { route_count: routes.length, shard_bits: bits, shards: references };
  return writeObject(storage, root);
}

function writeObject(storage: Storage, value: unknown): ObjectReference {
  const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
  const sha256 = hash('sha256', bytes);
  storage.create(objectPath(sha256), bytes);
  return { sha256, size: bytes.length };
}

/**
 * Switches readers to a publication whose objects and names are all in place. Writes the signature first, so that it
 * fits either pointer, then the link, and the pointer last. `key` null: the site is not signed.
 */
export function moveTo(storage: Storage, pointer: Pointer, key: SigningKey | null): void {
  const target = checkoutFolder(pointer.revision);
  const bytes = pointerBytes(pointer);
  if (key) signPointer(storage, bytes, key);
  if (storage.pointsTo(siteLink) !== target) storage.pointTo(siteLink, target);
  if (!isPointerAt(storage, pointer)) storage.replace(pointerFile, bytes);
}

/**
 * Writes a signature file that fits the new pointer, unless there is one. It keeps the line of the previous pointer,
 * because readers may still need it.
 */
function signPointer(storage: Storage, pointer: Uint8Array, key: SigningKey): void {
  const existing = storage.read(signatureFile);
  if (misfitOf(pointer, existing, key) === null) return;
  storage.replace(signatureFile, signedLines(key, pointer, existing, storage.read(pointerFile)));
}

/** Whether a site's pointer is already this one, byte for byte. */
export function isPointerAt(storage: Storage, pointer: Pointer): boolean {
  return pointerBytes(pointer).equals(storage.read(pointerFile) ?? Buffer.alloc(0));
}

function pointerBytes(pointer: Pointer): Buffer {
  return Buffer.from(`${JSON.stringify(pointer, null, 2)}\n`);
}

/** Removes checkouts of other publications, and objects that are not named. Returns the number of removed objects. */
export function sweep(storage: Storage, revisions: ReadonlySet<string>, named: ReadonlySet<string>): number {
  for (const revision of storage.entries('checkouts')) {
    if (!revisions.has(revision)) storage.removeFolder(checkoutFolder(revision));
  }
  let removed = 0;
  for (const name of storage.list('objects')) {
    if (named.has(name.slice(name.lastIndexOf('/') + 1))) continue;
    storage.remove(name);
    removed += 1;
  }
  return removed;
}
