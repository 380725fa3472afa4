import type { ExportResource } from '../contract/formats/export.ts';
import { type DocumentDifference, documentDifferences } from './document-differences.ts';
import { type RecordDifference, recordDifferences } from './record-differences.ts';
import type { Side } from './side.ts';

/** What is compared, in this order. */
export const comparedThings = ['products', 'stores', 'inventory', 'documents'] as const;
export type ComparedThing = (typeof comparedThings)[number];

export type ChangeCounts = { added: number; removed: number; changed: number };

/** One difference of two publications, from side a to side b. */
export type Difference =
  | ({ readonly thing: ExportResource } & RecordDifference)
  | ({ readonly thing: 'documents' } & DocumentDifference);

/** The result of a comparison. `documents` is null when a side is a database, which has none. */
export type DiffSummary = {
  readonly isEqual: boolean;
  readonly counts: Readonly<Record<ExportResource, ChangeCounts>> & { readonly documents: ChangeCounts | null };
};

/**
 * Compares two publications: products, stores and pairs by value, documents by hash. Calls `visit` with each difference,
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
    documents: await documentCounts(a, b, visit, progress),
  };
  const isEqual = Object.values(counts).every((each) => each === null || isNothing(each));
  return { isEqual, counts };
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
