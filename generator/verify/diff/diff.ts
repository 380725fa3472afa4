import type { AddressKind } from '../../../contract/addresses.ts';
import { parsePath } from '../../../contract/paths.ts';
import type { About } from '../../../contract/schemas/metadata.ts';
import type { Route } from '../../../contract/schemas/site-files.ts';
import type { ExportResource } from '../../../contract/vocabulary.ts';
import type { TableReader } from '../../site/table-reader.ts';
import { type Change, type FieldChange, type RecordDifference, recordDifferences } from './record-differences.ts';
import type { Side } from './side.ts';

/** What is compared, in this order. */
export const comparedThings = ['products', 'stores', 'inventory', 'about', 'documents'] as const;

export type ComparedThing = (typeof comparedThings)[number];

export type ChangeCounts = Record<Change, number>;

/** One difference of two publications, from side a to side b. */
export type Difference =
  | ({ readonly thing: 'about' } & AboutDifference)
  | ({ readonly thing: ExportResource } & RecordDifference)
  | ({ readonly thing: 'documents' } & DocumentDifference);

type Differences = AsyncIterable<RecordDifference> | readonly (AboutDifference | DocumentDifference)[];

/**
 * Compares two publications: products, stores, pairs and `about` by value, documents by hash. Calls `visit` with each
 * difference, things in the order of {@link comparedThings}, and `progress` when a thing begins. Resolves to the counts
 * by thing: null for `about` when a side is a partial mirror without it, and for `documents` when a side is a database,
 * which has none.
 */
export async function diffSides(
  a: Side,
  b: Side,
  visit: (difference: Difference) => void,
  progress: (thing: ComparedThing) => void = () => undefined,
) {
  const counts: Partial<Record<ComparedThing, ChangeCounts | null>> = {};
  for (const thing of comparedThings) {
    progress(thing);
    const differences = await findDifferences(thing, a, b);
    const count: ChangeCounts | null = differences && { added: 0, removed: 0, changed: 0 };
    for await (const difference of differences ?? []) {
      if (count) count[difference.change] += 1;
      visit({ thing, ...difference } as Difference);
    }
    counts[thing] = count;
  }
  const isEqual = Object.values(counts).every(
    (count) => count === null || Object.values(count).every((one) => one === 0),
  );
  return { isEqual, counts: counts as Readonly<Record<ComparedThing, ChangeCounts | null>> };
}

export type DiffSummary = Awaited<ReturnType<typeof diffSides>>;

async function findDifferences(thing: ComparedThing, a: Side, b: Side): Promise<Differences | null> {
  const isSameTable = a.table !== null && a.table.reference.sha256 === b.table?.reference.sha256;
  if (thing === 'documents') return a.table && b.table && (isSameTable ? [] : documentDifferences(a.table, b.table));
  if (thing === 'about') {
    // Two sites with one route table have the same documents.
    if (isSameTable) return [];
    const [before, after] = [await a.about(), await b.about()];
    return before === undefined || after === undefined ? null : aboutDifferences(before, after);
  }
  const [before, after] = [await a.exportHash(thing), await b.exportHash(thing)];
  return before !== null && before === after ? [] : recordDifferences(thing, a.records(thing), b.records(thing));
}

/** A member of `about` that only one side states, or that the sides state differently. */
type AboutDifference = FieldChange & { readonly change: Change; readonly member: keyof About };

/** Compares what the operators of both sides state about the data, member by member. */
export function aboutDifferences(before: About | null, after: About | null): AboutDifference[] {
  const members = Object.keys(before ?? after ?? {}) as (keyof About)[];
  return members.flatMap((member): AboutDifference[] => {
    const [a, b] = [before?.[member] ?? null, after?.[member] ?? null];
    if (JSON.stringify(a) === JSON.stringify(b)) return [];
    return [{ change: a === null ? 'added' : b === null ? 'removed' : 'changed', member, a, b }];
  });
}

/** An address that only one site has, or whose bytes differ. */
type DocumentDifference = {
  readonly change: Change;
  readonly kind: AddressKind | null;
  readonly path: string;
};

/**
 * Compares the addresses of two sites by the hashes in their route tables, sorted by path. Reads only shards that
 * differ, and no answer.
 */
async function documentDifferences(a: TableReader, b: TableReader): Promise<DocumentDifference[]> {
  const before = new Map<string, Route>();
  for (const route of await routesIn(a, shardsToRead(a, b))) before.set(route.path, route);
  const found: DocumentDifference[] = [];
  const add = (change: Change, path: string) => found.push({ change, kind: parsePath(path)?.kind ?? null, path });
  for (const { path, sha256 } of await routesIn(b, shardsToRead(b, a))) {
    const previous = before.get(path);
    before.delete(path);
    if (previous === undefined) add('added', path);
    else if (previous.sha256 !== sha256) add('changed', path);
  }
  for (const path of before.keys()) add('removed', path);
  return found.sort((one, other) => (one.path < other.path ? -1 : 1));
}

async function routesIn(table: TableReader, shards: readonly number[]): Promise<Route[]> {
  return [...(await table.shards(shards)).values()].flat();
}

/**
 * The shards of a table that the other one does not have under the same number. Returns all shards if the two tables
 * number their shards differently.
 */
function shardsToRead({ root }: TableReader, { root: other }: TableReader): number[] {
  const isComparable = root.shard_bits === other.shard_bits;
  return [...root.shards.keys()].filter(
    (number) => !isComparable || root.shards[number]?.sha256 !== other.shards[number]?.sha256,
  );
}
