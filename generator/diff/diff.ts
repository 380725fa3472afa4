import type { ExportResource } from '../contract/formats/export.ts';
import { type AboutDifference, aboutDifferences } from './about-differences.ts';
import { type DocumentDifference, documentDifferences } from './document-differences.ts';
import { type RecordDifference, recordDifferences } from './record-differences.ts';
import type { Side } from './side.ts';

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
