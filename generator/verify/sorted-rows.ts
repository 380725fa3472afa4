import type { HistoryTable, TableHeader } from '../../contract/formats/parquet.ts';
import type { FaultList } from '../site/fault.ts';
import type { GroupColumns, TableFile } from '../site/table-file.ts';

/** What orders the rows of a product, and whether the runs of the table count it. Runs of events count events. */
const timeColumns: Readonly<Record<HistoryTable, string>> = { daily_history: 'publication', changes_history: 'number' };

/**
 * Reads the row groups of a table over time, run by run: the rows of a run are sorted by product and time, each once,
 * and are of its publications or events. A run whose groups are all known is not read.
 */
export async function readRuns(
  faults: FaultList,
  path: string,
  file: TableFile,
  { table, runs }: { readonly table: HistoryTable; readonly runs: NonNullable<TableHeader['runs']> },
  isKnown: (group: number) => boolean,
): Promise<void> {
  let group = 0;
  for (const run of runs) {
    const end = endOfRun(file, group, run.record_count);
    const name = `rows of ${run.first} to ${run.last}`;
    const rows = file.groups.slice(group, end).reduce((sum, count) => sum + count, 0);
    if (rows !== run.record_count) faults.add('parquet_count', path, `${run.record_count} ${name}`, String(rows));
    const groups = Array.from({ length: end - group }, (_, index) => group + index);
    const checkRow = rowCheck(faults, path, run, name);
    if (!groups.every(isKnown)) for (const one of groups) checkRow(await file.readGroup(one), timeColumns[table]);
    group = end;
  }
  const more = file.groups.length - group;
  if (more > 0) faults.add('parquet_count', path, 'row groups that belong to a run', `${more} that belong to none`);
}

/** The first row group after a run that begins with `group`. */
function endOfRun({ groups }: TableFile, group: number, rows: number): number {
  let end = group;
  for (let found = 0; found < rows && end < groups.length; end += 1) found += groups[end] ?? 0;
  return end;
}

/** Returns a function that checks the rows of one group after another, and reports the first fault of the run. */
function rowCheck(
  faults: FaultList,
  path: string,
  { first, last }: { readonly first: number; readonly last: number },
  name: string,
): (columns: GroupColumns, timeColumn: string) => void {
  let [lastSku, lastTime] = ['', 0];
  let isSound = true;
  return (columns, timeColumn) => {
    const [skus, times] = [columns.get('agency_sku') ?? [], columns.get(timeColumn) ?? []];
    for (let row = 0; row < skus.length && isSound; row += 1) {
      const [sku, time] = [String(skus[row]), Number(times[row])];
      const isInOrder = sku > lastSku || (sku === lastSku && time > lastTime);
      isSound = isInOrder && time >= first && time <= last;
      if (!isInOrder) faults.add('export_order', path, `${name} after ${lastSku} ${lastTime}`, `${sku} ${time}`);
      else if (!isSound) faults.add('export_order', path, name, `one of ${time}`);
      [lastSku, lastTime] = [sku, time];
    }
  };
}
