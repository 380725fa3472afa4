import { isJsonObject, jsonStart } from '../../../contract/text.ts';
import { fileFailure, limits } from './input.ts';
import { type Cell, type Columns, numberCell, type Row } from './table.ts';

/** Levels of objects in a record that become columns, such as `address.line1`. */
const deepest = 8;

export function named(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return value === undefined || value === null ? 'nothing' : isJsonObject(value) ? 'an object' : jsonStart(value, 40);
}

/**
 * Yields one row for a record, or one for each entry of a list in it. The list's column has its length, or an error if
 * the list holds no objects.
 */
export function* recordRows(
  path: string,
  record: Record<string, unknown>,
  number: number,
  each: string | null,
  columns: Columns,
): Generator<Row> {
  const cells: Cell[] = [];
  fill(cells, record, '', columns, each, 0);
  const entries = each === null ? [] : at(record, each);
  if (each !== null) cells[columns.add(each)] = countCell(entries);
  if (columns.count > limits.columns) throw fileFailure(path, `at most ${limits.columns} keys`, 'more');
  if (!Array.isArray(entries) || !entries.some(isJsonObject)) yield { number, cells };
  else {
    for (const entry of entries) {
      const ofEntry = [...cells];
      fill(ofEntry, entry, `${each}.`, columns, null, 1);
      yield { number, cells: ofEntry };
    }
  }
}

function countCell(entries: unknown): Cell {
  if (!Array.isArray(entries)) return { kind: 'error', text: named(entries) };
  const odd = entries.find((entry) => !isJsonObject(entry));
  return odd === undefined ? numberCell(entries.length) : { kind: 'error', text: `${named(odd)} in a list` };
}

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => {
    return typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[key] : undefined;
  }, value);
}

/** A list of scalars becomes a text with commas. */
function fill(
  cells: Cell[],
  value: unknown,
  prefix: string,
  columns: Columns,
  skip: string | null,
  depth: number,
): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    if (prefix !== '') put(cells, columns.add(prefix.slice(0, -1)), scalarCell(value));
    return;
  }
  for (const [key, inner] of Object.entries(value)) {
    const name = prefix + key;
    if (name === skip) continue;
    if (isJsonObject(inner) && depth < deepest) fill(cells, inner, `${name}.`, columns, skip, depth + 1);
    else put(cells, columns.add(name), scalarCell(inner));
  }
}

/** A record may have both a key `a.b` and a key `b` in an object `a`. */
function put(cells: Cell[], index: number, cell: Cell): void {
  cells[index] = cells[index] === undefined ? cell : { kind: 'error', text: 'two values of this name' };
}

function scalarCell(value: unknown): Cell {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return numberCell(value);
  if (typeof value === 'boolean') return { kind: 'boolean', text: String(value) };
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.map(String).join(',');
  return { kind: 'error', text: 'an inner list or object' };
}
