import { factKinds, productFacts } from '../../../contract/product-facts.ts';
import { Faults } from '../../files/faults.ts';
import type { Row, Table } from '../tables/table.ts';
import type { OnFault } from '../values/field-reader.ts';
import type { ImportContext } from './context.ts';

type Place = { readonly table: Table; readonly row: Row };

/** Facts without which a product is still useful. Amounts of money and their dates are not among them. */
export const productExtras = productFacts.filter((fact) => !['money', 'instant'].includes(factKinds[fact].type));

/** Without its location, a store is still in every list. */
export const storeExtras = ['location'] as const;

/**
 * Facts with impossible values, such as the vintage 175. One odd fact becomes null with a notice, so that its row and
 * the day stay. If more than one row and more than 1 % of the rows have such a fact, the rule that reads it is probably
 * wrong, and the import is refused.
 */
export class OddFacts {
  readonly #extras: readonly string[];
  readonly #odd = new Map<string, { readonly noted: Faults; readonly refused: Faults; rows: number; last: string }>();
  readonly #context: ImportContext;

  constructor(extras: readonly string[], context: ImportContext) {
    this.#extras = extras;
    this.#context = context;
  }

  /** The fact that a field such as `location.latitude` belongs to, if a row can do without it. */
  factOf(field: string | null): string | undefined {
    return this.#extras.find((one) => one === field || field?.startsWith(`${one}.`));
  }

  /** Where faults of a field go. Undefined if its row needs the field. */
  in(field: string, { table, row }: Place): OnFault | undefined {
    const fact = this.factOf(field);
    if (fact === undefined) return undefined;
    return (column, expected, got) => {
      const odd = this.#odd.get(fact) ?? { noted: new Faults(), refused: new Faults(), rows: 0, last: '' };
      this.#odd.set(fact, odd);
      // A fact that is missing because another part of it was odd is not a second fault.
      const place = `${row.number} ${table.file}`;
      if (odd.last === place) return;
      odd.last = place;
      odd.rows += 1;
      odd.refused.in(table, row)(column, expected, got);
      odd.noted.in(table, row)(column, `${expected}; the ${fact} is published as null`, got);
    };
  }

  /** Notes the odd facts among `rows` rows of a file, or refuses them. */
  settle(file: string, rows: number): void {
    const { faults, notices } = this.#context;
    for (const [fact, odd] of this.#odd) {
      if (odd.rows <= Math.max(1, rows / 100)) {
        notices.addAll(odd.noted);
        continue;
      }
      faults.addAll(odd.refused);
      const expected = 'at most 1 % of the rows with an odd value, or "null_when" or "extract" in its rule';
      faults.add({ file, line: null, field: fact, expected, got: `${odd.rows} of ${rows}` });
    }
  }
}
