import { countText } from '../../files/failure.ts';
import { type Conversion, type Part, partRule, type Recipe, type Rule, targets, undecided } from '../recipe/recipe.ts';
import { cellText } from '../tables/table.ts';
import { decimal, integer, percent, price, volume } from '../values/conversions.ts';
import { guessColumns } from './column-guesses.ts';
import { wideStore } from './column-names.ts';
import { areCodes, guessCodeFormat, guessSizeStyle } from './column-values.ts';
import { codesIn, type DraftTable, tableName, textsIn } from './draft-tables.ts';

/**
 * `field`: the fields that the column fills, each after its part, such as `products.sku`; null if it fills none. `why`
 * is the reason for the guess.
 */
export type ColumnGuess = {
  readonly file: string;
  readonly column: string;
  readonly example: string;
  readonly field: string | null;
  readonly why: string;
};

export function describeColumns(recipe: Recipe, chosen: ReadonlyMap<Part, DraftTable>): ColumnGuess[] {
  const guessed = new Map<string, ColumnGuess>();
  for (const [part, table] of chosen) {
    const fields = Object.entries(partRule(recipe, part)?.fields ?? {});
    const { reasons, rivals } = guessColumns(part, table.columns, table);
    for (const column of table.columns) {
      const texts = textsIn(table, column);
      const used = fields.filter(([, rule]) => (typeof rule === 'string' ? rule : rule.column) === column);
      const key = JSON.stringify([tableName(table), column]);
      const before = guessed.get(key)?.field ?? null;
      if (before !== null && used.length === 0) continue;
      const all = [before ?? [], used.map(([name]) => `${part}.${name}`)].flat();
      const field = all.length === 0 ? null : all.join(', ');
      const open = [...rivals].find(([, columns]) => columns.includes(column))?.[0];
      const why =
        reasons.get(column) ??
        (open === undefined
          ? guessReason(part, used, isCode(used) ? codesIn(table, column) : texts, table.counts(column))
          : `perhaps ${part}.${open}`);
      const example = cellText(table.values(column)[0]);
      guessed.set(key, {
        file: tableName(table),
        column,
        example,
        field,
        why,
      });
    }
  }
  return [...guessed.values()];
}

const sizeReasons = {
  written: 'sizes with their units',
  ml: 'milliliters, by its values',
  l: 'liters, by its values',
  unclear: 'sizes in a unit to decide',
} as const;

/** Whether a column has codes, whose zeros a workbook may only display. */
function isCode([first]: readonly (readonly [field: string, rule: string | Rule])[]): boolean {
  return first !== undefined && ['sku', 'store', 'inventory_store_code'].includes(first[0]);
}

/** `used`: the fields of the column with their rules. */
function guessReason(
  part: Part,
  used: readonly (readonly [field: string, rule: string | Rule])[],
  texts: readonly string[],
  counts: readonly number[],
): string {
  const [first] = used;
  if (first === undefined) return 'neither its name nor its values show a field';
  const [field, rule] = first;
  const size = field === 'size_ml' ? guessSizeStyle(texts, counts) : null;
  if (size !== null) return sizeReasons[size];
  if (field === 'sku' && areCodes(texts)) {
    const { pattern, mayLackZeros } = guessCodeFormat(texts);
    return `codes like ${pattern}${mayLackZeros ? ', of which shorter ones may have lost zeros' : ''}`;
  }
  if (JSON.stringify(rule).includes(undecided)) return 'its name; decide the marked places';
  const as = targets[part].find((target) => target.field === field)?.as;
  const reads = as && readers[as];
  if (reads === undefined || texts.length === 0) return 'its name and values';
  const rowsOf = (is: (text: string) => boolean) =>
    texts.reduce((sum, text, index) => sum + (is(text) ? (counts[index] ?? 0) : 0), 0);
  const all = rowsOf(() => true);
  return `its name, and ${countText(rowsOf((text) => 'value' in reads(text)))} of ${countText(all)} values`;
}

const readers: Readonly<Partial<Record<Conversion, (text: string) => object>>> = {
  integer,
  number: decimal,
  percent,
  price: (text) => price(text.replace(/^[^\d]{0,4}|[^\d]{0,4}$/g, ''), 'USD'),
  volume: (text) => volume(text, 'ml'),
};

export function unplacedColumns(recipe: Recipe, chosen: ReadonlyMap<Part, DraftTable>) {
  const used = (part: Part) =>
    Object.values(partRule(recipe, part)?.fields ?? {}).flatMap((rule) =>
      typeof rule === 'string' ? rule : (rule.column ?? []),
    );
  const isStore = (part: Part, name: string) =>
    part === 'inventory' && recipe.inventory?.stores !== undefined && wideStore.test(name);
  const tables = [...chosen].map(([part, table]) => ({ part, table, names: new Set(used(part)) }));
  const byFile = Map.groupBy(tables, ({ table }) => table.file + (table.rule.sheet ?? ''));
  return [...byFile.values()].flatMap((ofFile) => {
    const names = [...new Set(ofFile.flatMap(({ table }) => table.columns))];
    const columns = names.filter(
      (name) => !ofFile.some((one) => one.names.has(name) || one.table.each === name || isStore(one.part, name)),
    );
    return columns.length === 0 ? [] : [{ file: ofFile[0]?.table.file ?? '', columns }];
  });
}
