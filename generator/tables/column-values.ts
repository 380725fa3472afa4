import { storedValue, type TableColumn } from '../../contract/columns/parquet.ts';
import { checkValue } from './checked-json.ts';

/** A value as Parquet stores it, and as a member of an NDJSON record, with a comma in front. */
type Encoded = { readonly value: unknown; readonly stored: unknown; readonly member: string };

/**
 * How many values of a column are kept encoded: more than an agency has stores, because the values of stores come again
 * with each product.
 */
const keptValues = 1024;

/**
 * The values of a column, row by row. Most values come again, in the next row or some rows later, so each is checked
 * and encoded once and kept for the rows after it. `where`: says which record is at fault.
 */
export class ColumnValues<Source> {
  /** What Parquet stores for the rows since the last group. */
  stored: unknown[] = [];
  readonly #column: TableColumn<Source>;
  readonly #where: () => string;
  readonly #known = new Map<unknown, Encoded>();
  #last: Encoded | null = null;

  constructor(column: TableColumn<Source>, where: () => string) {
    this.#column = column;
    this.#where = where;
  }

  /**
   * Adds the value of a row, and returns the member of its record; an empty text if records lack the column. Throws a
   * Failure that names record and column when the value does not match the schema of the column.
   */
  add(source: Source): string {
    const value = this.#column.of(source);
    const last = this.#last;
    const encoded = last !== null && last.value === value ? last : (this.#known.get(value) ?? this.#encode(value));
    this.#last = encoded;
    this.stored.push(encoded.stored);
    return encoded.member;
  }

  #encode(value: unknown): Encoded {
    const { name, type, recordSchema } = this.#column;
    if (recordSchema !== null) checkValue(recordSchema, () => `${this.#where()}: ${name}`, value);
    const member = recordSchema === null ? '' : `,"${name}":${JSON.stringify(value)}`;
    const encoded = { value, stored: storedValue(type, value), member };
    // Objects, and the ids that are stored as bytes, are not kept, because another row never has the same one.
    if ((typeof value !== 'object' || value === null) && type !== 'uuid bytes') {
      if (this.#known.size === keptValues) this.#known.clear();
      this.#known.set(value, encoded);
    }
    return encoded;
  }
}
