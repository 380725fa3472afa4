import { createHash } from 'node:crypto';
import { jsonMediaType, ndjsonMediaType, parquetMediaType } from '../../contract/headers.ts';
import type { ObjectReference, Pointer, Route } from '../../contract/schemas/site-files.ts';

/** A document in a test: its bytes, and the fields that differ from those of an ordinary JSON document. */
export type TinyDocument = { readonly body: string | Uint8Array } & Partial<Omit<Route, 'path' | 'sha256' | 'size'>>;

export type TinyPublication = {
  readonly revision: string;
  readonly sequence?: number;
  readonly shardBits?: number;
  readonly documents: Readonly<Record<string, TinyDocument>>;
};

/** Every object by its SHA-256, and the pointer that leads to them. */
export type TinySite = {
  readonly pointer: Pointer;
  readonly objects: Map<string, Uint8Array>;
  readonly routes: readonly Route[];
  readonly shards: readonly ObjectReference[];
};

export const lastModified = '2025-04-01T12:00:05Z';
export const lastModifiedDate = 'Tue, 01 Apr 2025 12:00:05 GMT';

/** A site with real hashes, made without the generator, so that this code and the generator check each other. */
export function tinySite({ revision, sequence = 1, shardBits = 2, documents }: TinyPublication): TinySite {
  const objects = new Map<string, Uint8Array>();
  const put = (bytes: Uint8Array): ObjectReference => {
    objects.set(sha256(bytes), bytes);
    return { sha256: sha256(bytes), size: bytes.length };
  };
  const putJson = (value: unknown) => put(Buffer.from(JSON.stringify(value)));

  const routes = Object.entries(documents)
    .map(([path, { body, ...rest }]): Route => {
      const bytes = Buffer.from(body);
      return { path, ...put(bytes), etag: md5Tag(bytes), ...jsonDefaults, ...rest };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const shards = Array.from({ length: 2 ** shardBits }, (_, number) =>
    putJson({ routes: routes.filter(({ path }) => leadingBits(path, shardBits) === number) }),
  );
  const root = putJson({ route_count: routes.length, shard_bits: shardBits, shards });
  const publication = { revision, sequence, published_at: '2025-04-01T12:00:05.250Z', routes: root };
  const format = { format: 'shelfpress-site', format_version: 1 } as const;
  return { pointer: { ...format, ...publication, publications: [publication] }, objects, routes, shards };
}

const jsonDefaults = {
  media_type: jsonMediaType,
  encoding: null,
  cache: 'revalidate',
  last_modified: lastModified,
} as const;

export function tinyExport(body: Uint8Array): TinyDocument {
  return { body, media_type: ndjsonMediaType, encoding: 'gzip', cache: 'immutable' };
}

export function tinyTable(body: Uint8Array): TinyDocument {
  return { body, media_type: parquetMediaType };
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function md5Tag(bytes: Uint8Array): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`;
}

/** The leading bits of the hash, taken simply from its binary digits. */
function leadingBits(path: string, bits: number): number {
  const digits = BigInt(`0x${sha256(Buffer.from(path))}`)
    .toString(2)
    .padStart(256, '0');
  return bits === 0 ? 0 : Number.parseInt(digits.slice(0, bits), 2);
}

export function pointerBytes({ pointer }: Pick<TinySite, 'pointer'>): Uint8Array {
  return Buffer.from(JSON.stringify(pointer));
}
