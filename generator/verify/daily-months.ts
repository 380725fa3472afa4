import { formatPath, parsePath } from '../../contract/paths.ts';
import type { TableFile } from '../tables/table-file.ts';
import type { SiteUnderCheck } from './documents.ts';
import type { ExportFacts } from './exports.ts';

/** How many rows each publication has in `daily.parquet`. Reads one column, which takes few bytes. */
export async function rowsByPublication(file: TableFile): Promise<Record<string, number>> {
  const rows = new Map<unknown, number>();
  for (const group of file.groups.keys()) {
    const columns = await file.readGroup(group, ['publication']);
    for (const publication of Array.from(columns.get('publication') ?? [])) {
      rows.set(publication, (rows.get(publication) ?? 0) + 1);
    }
  }
  return Object.fromEntries([...rows].map(([publication, count]) => [String(publication), count]));
}

/** Checks that the months of `daily.csv` together have as many rows of each publication as `daily.parquet`. */
export function compareMonths({ faults, table }: SiteUnderCheck, facts: ExportFacts): void {
  const whole = formatPath('daily_parquet');
  const expected = facts.get(whole)?.publications;
  const months = [...table.routes.keys()].filter((path) => parsePath(path)?.kind === 'daily_month_csv');
  // A file that cannot be read is reported where it is read.
  if (!expected || !months.every((path) => facts.has(path))) return;
  const found = new Map<string, { readonly rows: number; readonly path: string }>();
  for (const path of months.sort()) {
    for (const [publication, rows] of Object.entries(facts.get(path)?.publications ?? {})) {
      found.set(publication, { rows: (found.get(publication)?.rows ?? 0) + rows, path });
    }
  }
  for (const publication of new Set([...Object.keys(expected), ...found.keys()])) {
    const { rows, path } = found.get(publication) ?? { rows: 0, path: formatPath('daily_csv') };
    const wanted = expected[publication] ?? 0;
    if (rows === wanted) continue;
    faults.add('export_count', path, `${wanted} rows of publication ${publication}, as in ${whole}`, String(rows));
  }
}
