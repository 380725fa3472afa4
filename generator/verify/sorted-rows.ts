import type { HistoryTable, TableHeader, VersionTable } from '../../contract/columns/parquet.ts';
import type { FaultList } from '../site/fault.ts';
import type { GroupColumns, TableFile } from '../tables/table-file.ts';

/** What the rows of each table over time are sorted by: some texts, then a publication or the number of an event. */
const sortKeys: Readonly<Record<HistoryTable | VersionTable, readonly [...texts: string[], number: string]>> = {
  daily_history: ['agency_sku', 'publication'],
  changes_history: ['agency_sku', 'number'],
  coverage: ['store_id', 'top_category_id', 'publication'],
  products_over_time: ['agency_sku', 'first_publication'],
  stores_over_time: ['store_id', 'first_publication'],
  categories: ['category_id', 'first_publication'],
};

type Run = NonNullable<TableHeader['runs']>[number];

/** The rows of a table without runs, as a single run. */
export function wholeTable({ rows }: TableFile): readonly Run[] {
  return [{ first: 1, last: Number.MAX_SAFE_INTEGER, record_count: rows }];
}

/**
 * Reads the row groups of a table over time, run by run: the rows of a run are sorted, each is there once, and all are
 * of its publications or events. A run whose groups are all known is not read.
 */
export async function readRuns(
  faults: FaultList,
  path: string,
  file: TableFile,
  { table, runs }: { readonly table: HistoryTable | VersionTable; readonly runs: readonly Run[] },
  isKnown: (group: number) => boolean,
): Promise<void> {
  let group = 0;
  for (const run of runs) {
    const end = endOfRun(file, group, run.record_count);
    const rows = file.groups.slice(group, end).reduce((sum, count) => sum + count, 0);
    if (rows !== run.record_count) {
      faults.add('parquet_count', path, `${run.record_count} ${nameOf(run)}`, String(rows));
    }
    const groups = Array.from({ length: end - group }, (_, index) => group + index);
    const checkRows = rowCheck(faults, path, run, sortKeys[table]);
    if (!groups.every(isKnown)) for (const one of groups) checkRows(await file.readGroup(one));
    group = end;
  }
  const more = file.groups.length - group;
  if (more > 0) faults.add('parquet_count', path, 'row groups that belong to a run', `${more} that belong to none`);
}

function nameOf({ first, last }: Run): string {
  return `rows of ${first} to ${last}`;
}

/** The first row group after a run that begins with `group`. */
function endOfRun({ groups }: TableFile, group: number, rows: number): number {
  let end = group;
  for (let found = 0; found < rows && end < groups.length; end += 1) found += groups[end] ?? 0;
  return end;
}

/** Returns a function that checks the rows of one group after another, and reports the first fault of the run. */
function rowCheck(faults: FaultList, path: string, run: Run, key: readonly string[]): (columns: GroupColumns) => void {
  let [lastTexts, lastNumber] = ['', 0];
  let isSound = true;
  return (columns) => {
    const columnsOfKey = key.map((name) => columns.get(name) ?? []);
    const numbers = columnsOfKey.pop() ?? [];
    for (let row = 0; row < numbers.length && isSound; row += 1) {
      const texts = columnsOfKey.map((column) => column[row] ?? '').join(' ');
      const number = Number(numbers[row]);
      const isInOrder = texts > lastTexts || (texts === lastTexts && number > lastNumber);
      isSound = isInOrder && number >= run.first && number <= run.last;
      if (!isInOrder) {
        faults.add('export_order', path, `${nameOf(run)} after ${lastTexts} ${lastNumber}`, `${texts} ${number}`);
      } else if (!isSound) faults.add('export_order', path, nameOf(run), `one of ${number}`);
      [lastTexts, lastNumber] = [texts, number];
    }
  };
}
