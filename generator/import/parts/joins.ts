import type { FileRule, JoinRule } from '../recipe/recipe.ts';
import {
  type Cell,
  cellText,
  codeText,
  type JoinedPlace,
  quoted,
  type Row,
  type Table,
  trimmed,
} from '../tables/table.ts';
import { openTable } from '../tables/tables.ts';
import { cellAt } from '../values/field-reader.ts';
import type { PartFields } from '../values/part-fields.ts';
import type { ImportContext } from './context.ts';
import { soundRows } from './part-rows.ts';

export type Joins = Awaited<ReturnType<typeof openJoins>>;

/** A file that is joined. `rows`: its rows by the values of the key. */
type JoinedFile = {
  readonly role: string;
  readonly rule: FileRule;
  /** The columns of the key in the rows of the part. */
  readonly keys: readonly string[];
  /** The length to which each key is padded. */
  readonly pads: readonly number[];
  readonly rows: ReadonlyMap<string, JoinedRow>;
  /** Keys by the text that a workbook shows for them, such as `000030` for 30. */
  readonly shown: ReadonlyMap<string, string>;
  readonly places: Pick<Table, 'file' | 'unit'>[];
  readonly found: Set<string>;
};

type JoinedRow = {
  readonly number: number;
  readonly place: number;
  readonly cells: ReadonlyMap<string, Cell | undefined>;
};

/**
 * Reads the files that a part joins. `columns`: all columns that the part names; those of a joined file include its
 * role, as in `prices.Retail`. A key that is a code with `pad` gets its lost zeros in both files. Reports missing
 * columns, and a key that a file has twice with different values.
 */
export async function openJoins(
  rules: readonly JoinRule[],
  columns: readonly string[],
  fields: PartFields,
  context: ImportContext,
) {
  const joined: JoinedFile[] = [];
  for (const rule of rules) {
    const role = context.roles.get(rule.file);
    if (role === undefined) context.recipeFault('joins', `one of ${[...context.roles.keys()].join(', ')}`, rule.file);
    else joined.push(await readJoined(rule, role, columns, fields.pads, context));
  }
  return {
    columns: joined.flatMap(({ keys }) => keys),
    has: (column: string) => joined.some(({ role }) => column.startsWith(`${role}.`)),
    with: (table: Table): Table => {
      const cells = joined.flatMap((one) =>
        columns
          .filter((column) => column.startsWith(`${one.role}.`))
          .map((column) => [column, (row: Row) => find(one, row, table)?.cells.get(column)] as const),
      );
      const placeOf = (column: string, row: Row): JoinedPlace | null => {
        const one = joined.find(({ role }) => column.startsWith(`${role}.`));
        const found = one && find(one, row, table);
        const place = found && one.places[found.place];
        if (!place) return null;
        return { ...place, line: found.number, field: column.slice(one.role.length + 1) };
      };
      return { ...table, joined: new Map(cells), placeOf };
    },
    /** Reports joined rows without a partner. It is a fault if none has one. */
    end: (table: Table, count: number) => reportEnd(joined, table, count, context),
    /** Notes the partners of a row in each file, or reports the row. */
    check: (row: Row, table: Table) => {
      for (const one of joined) {
        const key = findKey(one, row, table);
        if (key !== undefined) one.found.add(key);
        else {
          const got = quoted(one.keys.map((key) => cellText(cellAt(row, table, key))).join(', '));
          context.notices.in(table, row)(one.keys.join(' + '), `a row of ${one.role} with the same value`, got);
        }
      }
    },
  };
}

function find(joined: JoinedFile, row: Row, table: Table): JoinedRow | undefined {
  return joined.rows.get(findKey(joined, row, table) ?? '');
}

/** The key of a row's partner. A workbook may only show the zeros of a code that another file has. */
function findKey({ keys, pads, rows, shown }: JoinedFile, row: Row, table: Table): string | undefined {
  const own = [cellText, codeText].map((textOf) => joinKey(keys, pads, row, table, textOf));
  return [...own, ...own.map((key) => shown.get(key) ?? '')].find((key) => rows.has(key));
}

function joinKey(
  keys: readonly string[],
  pads: readonly number[],
  row: Row,
  table: Table,
  textOf: typeof cellText,
): string {
  const texts = keys.map((key) => trimmed(textOf(cellAt(row, table, key))));
  return JSON.stringify(texts.map((text, index) => (/^\d+$/.test(text) ? text.padStart(pads[index] ?? 0, '0') : text)));
}

async function readJoined(
  { file: role, by }: JoinRule,
  { rule, files }: NonNullable<ReturnType<ImportContext['roles']['get']>>,
  columns: readonly string[],
  padsOf: ReadonlyMap<string, number>,
  context: ImportContext,
): Promise<JoinedFile> {
  const { faults, profile, onBytes, onUse } = context;
  const pairs = typeof by === 'string' ? [[by, by] as const] : Object.entries(by);
  const theirs = pairs.map(([, column]) => column);
  const pads = pairs.map(([column]) => padsOf.get(column) ?? 0);
  const wanted = columns.filter((column) => column.startsWith(`${role}.`));
  const names = wanted.map((column) => column.slice(role.length + 1));
  const rows = new Map<string, JoinedRow>();
  const shown = new Map<string, string>();
  const places: Pick<Table, 'file' | 'unit'>[] = [];
  for (const file of files) {
    const table = await openTable(file, rule, null, onBytes(file), profile.currency);
    const place = places.push({ file: table.file, unit: table.unit }) - 1;
    for await (const row of soundRows(table, rule, [...theirs, ...names], context)) {
      const key = joinKey(theirs, pads, row, table, cellText);
      const keyShown = joinKey(theirs, pads, row, table, codeText);
      if (keyShown !== key && !shown.has(keyShown)) shown.set(keyShown, key);
      const cells = new Map(wanted.map((column, index) => [column, cellAt(row, table, names[index] ?? '')]));
      const before = rows.get(key);
      const isSame =
        before !== undefined && wanted.every((one) => cellText(before.cells.get(one)) === cellText(cells.get(one)));
      if (before !== undefined && !isSame) {
        const got = `${quoted(JSON.parse(key).join(', '))}, which ${table.unit} ${before.number} has too`;
        faults.in(table, row)(theirs.join(' + '), 'one row for each value, because it is joined', got);
      }
      if (before === undefined) rows.set(key, { number: row.number, place, cells });
    }
    onUse({
      file: file.name,
      names: table.columns.names,
      used: new Set([...theirs, ...names, ...(rule.ignore ?? [])]),
    });
  }
  return { role, rule, keys: pairs.map(([ours]) => ours), pads, rows, shown, places, found: new Set() };
}

function reportEnd(
  joined: readonly JoinedFile[],
  table: Table,
  count: number,
  { faults, notices }: ImportContext,
): void {
  for (const { role, keys, rows, places, found } of joined) {
    const place = { file: table.file, line: null, field: keys.join(' + ') };
    if (count > 0 && found.size === 0)
      faults.add({ ...place, expected: `values that rows of ${role} have`, got: 'none of them' });
    else
      for (const [key, { number, place: at }] of rows)
        if (!found.has(key) && places[at] !== undefined)
          notices.in(places[at], { number })(
            null,
            `a row of ${table.file} with the same value`,
            quoted(JSON.parse(key).join(', ')),
          );
  }
}
