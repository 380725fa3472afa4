import { hash } from 'node:crypto';
import pMap from 'p-map';
import { objectPath } from '../../contract/paths.ts';
import {
  type ObjectReference,
  type Route,
  type RouteTableRoot,
  shardNumber,
} from '../../contract/schemas/site-files.ts';
import { sound } from '../../contract/site/file-value.ts';
import {
  claimedTables,
  parseShard,
  parseTableRoot,
  shardReference,
  type TableRules,
} from '../../contract/site/route-table.ts';
import type { SiteSource } from '../../contract/site/source.ts';
import { Failure } from '../files/failure.ts';

const concurrency = 8;

/** `place`: what messages call the source, such as the root of a host. */
type TableSource = { readonly source: Pick<SiteSource, 'readObject'>; readonly place: string };

/** Reads only the requested shards, and drops unknown fields. */
export class TableReader {
  readonly reference: ObjectReference;
  readonly root: RouteTableRoot;
  readonly #source: TableSource;

  private constructor(source: TableSource, reference: ObjectReference, root: RouteTableRoot) {
    this.#source = source;
    this.reference = reference;
    this.root = root;
  }

  /**
   * Throws a Failure if the root is missing, does not match its hash or its schema, or claims too many bytes. `claims`:
   * the claims of other tables of the same host.
   */
  static async open(
    source: TableSource['source'],
    reference: ObjectReference,
    place: string,
    claims = tableClaims(place),
  ): Promise<TableReader> {
    const reader = await TableReader.find(source, reference, place, claims);
    return reader ?? refuse(place, reference, 'the root of a route table', 'no such object');
  }

  /** Like {@link open}; null if the source does not have the root. */
  static async find(
    from: TableSource['source'],
    reference: ObjectReference,
    place: string,
    claims = tableClaims(place),
  ): Promise<TableReader | null> {
    const source: TableSource = { source: from, place };
    claims.addRoot(reference);
    const part = await readPart(source, reference);
    if (part === null) return null;
    const root = sound(parseTableRoot(part.bytes, part.rules));
    claims.addShards(root);
    return new TableReader(source, reference, root);
  }

  /** Routes by the number of the shard. Omits shards that the source does not have. */
  async shards(numbers: Iterable<number>): Promise<Map<number, readonly Route[]>> {
    const read = async (number: number): Promise<readonly (readonly [number, readonly Route[]])[]> => {
      const part = await readPart(this.#source, shardReference(this.root, number));
      if (part === null) return [];
      return [[number, sound(parseShard(part.bytes, part.rules))]];
    };
    return new Map((await pMap(numbers, read, { concurrency })).flat());
  }

  shard(number: number): ObjectReference {
    return shardReference(this.root, number);
  }

  /** All routes, shard by shard. */
  async routes(): Promise<Route[]> {
    return [...(await this.shards(this.root.shards.keys())).values()].flat();
  }

  shardNumberFor(path: string): number {
    return shardNumber(hash('sha256', path), this.root.shard_bits);
  }
}

/** Adds up the bytes that the route tables of a place claim. Throws a Failure if they are too many. */
export function tableClaims(place: string) {
  return claimedTables((part, expected, got) => refuse(place, part, expected, got));
}

async function readPart({ source, place }: TableSource, part: ObjectReference) {
  const bytes = await source.readObject(part);
  if (bytes === null) return null;
  const found = hash('sha256', bytes);
  if (found !== part.sha256) refuse(place, part, 'bytes with that SHA-256', found);
  const rules: TableRules = {
    name: 'the route table',
    strictness: 'known',
    onFault: ({ expected, got }) => refuse(place, part, expected, got),
  };
  return { bytes, rules };
}

function refuse(place: string, part: ObjectReference | null, expected: string, got: string): never {
  const where = part === null ? place : `${place}/${objectPath(part.sha256)}`;
  throw new Failure('host_answer', `${where}: expected ${expected}, got ${got}`);
}
