import { type CsvTable, describeCsv } from '../../contract/columns/csv-tables.ts';
import { csvLine, isOpen, parseCsvRow, withoutFormulas } from '../../contract/csv.ts';
import { monthOf } from '../../contract/instant.ts';
import { objectPath } from '../../contract/paths.ts';
import { minorDigits, type Profile } from '../../contract/profile.ts';
import { shown } from '../../contract/schemas/checked-value.ts';
import type { Route } from '../../contract/schemas/site-files.ts';
import { BrokenFile } from '../tables/broken-file.ts';
import { gzipLines } from '../tables/gzip-lines.ts';
import { piecesDigest } from '../tables/pieces.ts';
import type { SiteUnderCheck } from './documents.ts';
import type { FileFacts } from './exports.ts';

/**
 * Checks a CSV file (RFC 4180): its names, the cells of each row, and the order of the rows. `month`: the month of the
 * publications in a file of `daily`.
 */
export async function readCsv(
  { files, faults, profile }: SiteUnderCheck,
  { path, sha256, size }: Route,
  table: CsvTable,
  month?: string,
): Promise<FileFacts | null> {
  const columns = describeCsv(table, profile);
  const names = csvLine(columns.map(({ name }) => name));
  const isRightAt = columns.map((column) => cellCheck(column, profile));
  const publications = new Map<string, number>();
  let rows = -1;
  let last = '';
  let open = '';
  const visit = (line: string) => {
    rows += 1;
    if (rows === 0) {
      if (`${line}\n` !== names) faults.add('export_header', path, names.trimEnd(), shown(line));
      return;
    }
    const publication = line.slice(0, line.indexOf(','));
    if (month !== undefined) publications.set(publication, (publications.get(publication) ?? 0) + 1);
    const cells = line.endsWith('\r') ? parseCsvRow(line.slice(0, -1)) : null;
    const wrong = cells?.length === columns.length ? cells.findIndex((cell, index) => !isRightAt[index]?.(cell)) : 0;
    if (!cells || wrong >= 0) {
      const { name, type } = columns[Math.max(wrong, 0)] ?? { name: '', type: '' };
      const expected = cells?.length === columns.length ? `${name} as ${type}` : `${columns.length} cells`;
      faults.add('export_record', path, `row ${rows}: ${expected}`, shown(line));
      return;
    }
    const [, published_at = ''] = cells;
    if (month !== undefined && monthOf(published_at) !== month) {
      faults.add('export_record', path, `row ${rows}: published_at in ${month}`, published_at);
    }
    const key = csvKeys[table](cells);
    // Two catalogs with the same time may have different prices.
    if (key < last || (key === last && table !== 'prices')) {
      faults.add('export_order', path, `row ${rows} after ${last}, each once and in order`, key);
    }
    last = key;
  };
  const content = piecesDigest();
  try {
    for await (const texts of gzipLines(files.locate(objectPath(sha256)), size, undefined, content.take)) {
      for (const text of texts) {
        open = open === '' ? text : `${open}\n${text}`;
        if (isOpen(open)) continue;
        visit(open);
        open = '';
      }
    }
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error;
    faults.add('export_compression', path, 'gzip-compressed lines of text', error.message);
    return null;
  }
  if (open !== '') faults.add('export_record', path, 'quotes that are closed', shown(open));
  if (rows < 0) faults.add('export_header', path, names.trimEnd(), 'an empty file');
  return {
    records: Math.max(0, rows),
    publishedAt: null,
    unpacked: content.reference(),
    publications: month === undefined ? undefined : Object.fromEntries(publications),
  };
}

/** What the rows of a CSV file are ordered by, as a text of their cells. */
const csvKeys: Readonly<Record<CsvTable, (cells: readonly string[]) => string>> = {
  products: ([sku = '']) => sku,
  prices: ([sku = '', , , , from = '']) => `${sku} ${from}`,
  daily: ([publication = '', , sku = '']) => `${publication.padStart(9)} ${sku}`,
};

/** A check of the cells of a column, by its type. */
function cellCheck({ type }: { readonly type: string }, { currency }: Profile): (cell: string) => boolean {
  const digits = minorDigits(currency);
  const forms: Readonly<Record<string, RegExp>> = {
    integer: /^\d+$/,
    decimal: digits === 0 ? /^\d+$/ : new RegExp(`^\\d+\\.\\d{${digits}}$`),
    boolean: /^(true|false)$/,
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  };
  const form = forms[type.replace(/ or null$/, '')];
  const isNullable = type.endsWith(' or null');
  return (cell) => {
    if (cell === '' && isNullable) return true;
    return form ? form.test(cell) : withoutFormulas(cell) === cell;
  };
}
