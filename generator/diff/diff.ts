import type { AddressKind } from '../contract/addresses.ts';
import type { About } from '../contract/documents/metadata.ts';
import type { ExportResource } from '../contract/formats/export.ts';
import type { Route } from '../contract/formats/site.ts';
import { parsePath } from '../contract/paths.ts';
import { type FieldChange, type RecordDifference, recordDifferences } from './record-differences.ts';
import type { Side, SideTable } from './side.ts';

/** What is compared, in this order. */
export const comparedThings = ['products', 'stores', 'inventory', 'about', 'documents'] as const;
export type ComparedThing = (typeof comparedThings)[number];

export type ChangeCounts = { added: number; removed: number; changed: number };

/** One difference of two publications, from side a to side b. */
export type Difference =
  | ({ readonly thing: 'about' } & AboutDifference)
  | ({ readonly thing: ExportResource } & RecordDifference)
  | ({ readonly thing: 'documents' } & DocumentDifference);

/**
 * The result of a comparison. `about` is null when a side is a partial mirror without it, `documents` when a side is a
 * database, which has none.
 */
export type DiffSummary = {
  readonly isEqual: boolean;
  readonly counts: Readonly<Record<ExportResource, ChangeCounts> & Record<'about' | 'documents', ChangeCounts | null>>;
};

/**
 * Compares two publications: products, stores, pairs and `about` by value, documents by hash. Calls `visit` with each difference,
 * things in the order of {@link comparedThings}, and `progress` when a thing begins.
 */
export async function diffSides(
  a: Side,
  b: Side,
  visit: (difference: Difference) => void,
  progress: (thing: ComparedThing) => void = () => undefined,
): Promise<DiffSummary> {
  const records = async (thing: ExportResource): Promise<ChangeCounts> => {
    progress(thing);
    const counts = { added: 0, removed: 0, changed: 0 };
    const [before, after] = [await a.exportHash(thing), await b.exportHash(thing)];
    if (before !== null && before === after) return counts;
    for await (const difference of recordDifferences(thing, a.records(thing), b.records(thing))) {
      counts[difference.change] += 1;
      visit({ thing, ...difference });
    }
    return counts;
  };
  const counts = {
    products: await records('products'),
    stores: await records('stores'),
    inventory: await records('inventory'),
    about: await aboutCounts(a, b, visit, progress),
    documents: await documentCounts(a, b, visit, progress),
  };
  const isEqual = Object.values(counts).every((each) => each === null || isNothing(each));
  return { isEqual, counts };
}

async function aboutCounts(
  a: Side,
  b: Side,
  visit: (difference: Difference) => void,
  progress: (thing: ComparedThing) => void,
): Promise<ChangeCounts | null> {
  progress('about');
  const counts = { added: 0, removed: 0, changed: 0 };
  // Two sites with one route table have the same documents.
  if (a.table && a.table.reference.sha256 === b.table?.reference.sha256) return counts;
  const [before, after] = [await a.about(), await b.about()];
  if (before === undefined || after === undefined) return null;
  for (const difference of aboutDifferences(before, after)) {
    counts[difference.change] += 1;
    visit({ thing: 'about', ...difference });
  }
  return counts;
}

async function documentCounts(
  a: Side,
  b: Side,
  visit: (difference: Difference) => void,
  progress: (thing: ComparedThing) => void,
): Promise<ChangeCounts | null> {
  if (a.table === null || b.table === null) return null;
  progress('documents');
  const counts = { added: 0, removed: 0, changed: 0 };
  for (const difference of await documentDifferences(a.table, b.table)) {
    counts[difference.change] += 1;
    visit({ thing: 'documents', ...difference });
  }
  return counts;
}

function isNothing({ added, removed, changed }: ChangeCounts): boolean {
  return added + removed + changed === 0;
}

/** A member of `about` that only one side states, or that the sides state differently. */
type AboutDifference = FieldChange & {
  readonly change: 'added' | 'removed' | 'changed';
  readonly member: keyof About;
};

/** Compares what the operators of both sides state of the data, member by member. */
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
  readonly change: 'added' | 'removed' | 'changed';
  readonly kind: AddressKind | null;
  readonly path: string;
};

/**
 * Compares the addresses of two sites by the hashes in their route tables, sorted by path. Reads only shards that
 * differ, and no answer.
 */
async function documentDifferences(a: SideTable, b: SideTable): Promise<DocumentDifference[]> {
  if (a.reference.sha256 === b.reference.sha256) return [];
  const before = new Map<string, Route>();
  for (const route of await a.routes(shardsToRead(a, b))) before.set(route.path, route);
  const found: DocumentDifference[] = [];
  const add = (change: DocumentDifference['change'], path: string) =>
    found.push({ change, kind: parsePath(path)?.kind ?? null, path });
  for (const { path, sha256 } of await b.routes(shardsToRead(b, a))) {
    const previous = before.get(path);
    before.delete(path);
    if (previous === undefined) add('added', path);
    else if (previous.sha256 !== sha256) add('changed', path);
  }
  for (const path of before.keys()) add('removed', path);
  return found.sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** The shards of a table that the other one does not have under the same number. All, if their numbers mean other paths. */
function shardsToRead({ root }: SideTable, { root: other }: SideTable): number[] {
  const isComparable = root.shard_bits === other.shard_bits;
  return [...root.shards.keys()].filter(
    (number) => !isComparable || root.shards[number]?.sha256 !== other.shards[number]?.sha256,
  );
}
