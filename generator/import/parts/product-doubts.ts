import { factKinds, productFacts } from '../../../contract/product-facts.ts';
import { displayPrice, minorDigits } from '../../../contract/profile.ts';
import type { FileRule } from '../recipe/recipe.ts';
import { type Cell, cellText, quoted, type Row, type Table, trimmed } from '../tables/table.ts';
import { cellAt } from '../values/field-reader.ts';
import { minorWordIn } from '../values/minor-units.ts';
import type { PartFields } from '../values/part-fields.ts';
import type { ImportContext } from './context.ts';

type Place = { readonly table: Table; readonly row: Row };

const amounts = ['price_minor', ...productFacts.filter((fact) => factKinds[fact].type === 'money')];

/** A column with more distinct numbers than this does not count containers. */
const mostContainers = 120;

/** `isOther`: something in the column is not a whole number from 1. */
type Counts = { isOther: boolean; ones: number; more: number; example: (Place & { readonly cell: Cell }) | null };

/**
 * Checks whole columns of a catalog for unstated units: prices in cents, and packs with the size of one container.
 * `used`: columns that the recipe names.
 */
export class ProductDoubts {
  readonly #fields: PartFields;
  readonly #context: ImportContext;
  readonly #used: ReadonlySet<string>;
  readonly #firstPrice = new Map<string, Place & { readonly text: string }>();
  readonly #withFractions = new Set<string>();
  readonly #counts = new Map<string, Counts>();

  constructor(fields: PartFields, used: readonly string[], rule: FileRule, context: ImportContext) {
    this.#fields = fields;
    this.#context = context;
    this.#used = new Set([...used, ...(rule.ignore ?? [])]);
  }

  see(row: Row, table: Table): void {
    for (const field of amounts) this.#seeAmount(field, { row, table });
    for (const column of table.columns.names) if (!this.#used.has(column)) this.#seeCount(column, { row, table });
  }

  end(): void {
    for (const field of amounts) this.#endAmount(field);
    if (!this.#fields.has('size_ml') || this.#fields.has('pack_count')) return;
    for (const [column, counts] of this.#counts) this.#endCount(column, counts);
  }

  #seeAmount(field: string, { row, table }: Place): void {
    const [column] = this.#fields.reader(field)?.columns ?? [];
    if (column === undefined) return;
    const text = trimmed(cellText(cellAt(row, table, column)));
    if (/\d/.test(text) && !this.#firstPrice.has(field)) this.#firstPrice.set(field, { row, table, text });
    if (/[.,]\d/.test(text)) this.#withFractions.add(field);
  }

  #endAmount(field: string): void {
    const { profile, faults, notices } = this.#context;
    const first = this.#firstPrice.get(field);
    const rule = this.#fields.reader(field)?.rule;
    const digits = minorDigits(profile.currency);
    if (first === undefined || rule?.as !== undefined || digits === 0 || this.#withFractions.has(field)) return;
    const column = rule?.column ?? null;
    const number = Number(/\d+/.exec(first.text)?.[0] ?? '');
    const [asMinor, asMajor] = [number, number * 10 ** digits].map((minor) => displayPrice(minor, profile.currency));
    const way = `"as": "integer" in the recipe reads ${quoted(first.text)} as ${asMinor}, "as": "price" as ${asMajor}`;
    const said = column === null ? null : minorWordIn(column);
    if (said !== null)
      faults.in(first.table, first.row)(
        column,
        `amounts with decimals, or what they are, because the name says ${said}: ${way}`,
        'whole numbers alone',
      );
    else if (field === 'price_minor')
      notices.in(first.table, first.row)(
        column,
        `amounts with decimals; ${way}, as they are read now`,
        'whole numbers alone',
      );
  }

  #seeCount(column: string, { row, table }: Place): void {
    const counts = this.#counts.get(column) ?? { isOther: false, ones: 0, more: 0, example: null };
    this.#counts.set(column, counts);
    if (counts.isOther) return;
    const cell = cellAt(row, table, column);
    const text = trimmed(cellText(cell));
    if (text === '' || cell === undefined) return;
    const number = /^\d{1,3}$/.test(text) ? Number(text) : 0;
    if (number < 1 || number > mostContainers) counts.isOther = true;
    else if (number === 1) counts.ones += 1;
    else {
      counts.more += 1;
      counts.example ??= { row, table, cell };
    }
  }

  #endCount(column: string, { isOther, ones, more, example }: Counts): void {
    // Most products are single containers. If hardly any number is 1, the column counts the containers of a case.
    if (isOther || example === null || ones < more) return;
    this.#context.notices.in(example.table, example.row)(
      column,
      `a rule, because ${more} of ${ones + more} rows have more than 1: "pack_count" if it counts containers that are sold together, whose size "size_of" says, or "ignore"`,
      `${quoted(cellText(example.cell))}, which is not read`,
    );
  }
}
