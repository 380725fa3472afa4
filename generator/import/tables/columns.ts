import { collapsed } from './cell.ts';

/**
 * The columns of a table by name. A name that stands twice in a header is ambiguous; its columns are then `Price (1)` and
 * `Price (2)`. JSON has no header, so its columns come as its records name them. Those
 * of files with rows but no header are letters, and come as rows reach them.
 */
export class Columns {
  readonly #indexes = new Map<string, number>();
  readonly #ambiguous = new Map<string, number>();
  /** The number of cells of the header, with or without a name. */
  width = 0;
  /** The indexes of those without one. */
  nameless: readonly number[] = [];

  /** The columns of a header row. Cells without text have no name. */
  static ofHeader(cells: readonly string[]): Columns {
    const columns = new Columns();
    columns.width = cells.length;
    const names = cells.map(collapsed);
    columns.nameless = [...names.keys()].filter((index) => names[index] === '');
    for (const name of names) columns.#ambiguous.set(name, (columns.#ambiguous.get(name) ?? 0) + 1);
    const seen = new Map<string, number>();
    for (const [index, name] of names.entries()) {
      if (name === '') continue;
      const nth = (seen.get(name) ?? 0) + 1;
      seen.set(name, nth);
      const own = (columns.#ambiguous.get(name) ?? 0) > 1 ? `${name} (${nth})` : name;
      // A header may have both `Price` twice and `Price (1)`, of which no rule can name one.
      if (columns.#indexes.has(own)) columns.#ambiguous.set(own, 2);
      columns.#indexes.set(own, index);
    }
    for (const [name, count] of columns.#ambiguous) if (count > 1) columns.#indexes.delete(name);
    return columns;
  }

  /** Names columns without a header as a spreadsheet does, A, B, …, Z, AA, up to this number of them. */
  addLetters(count: number): void {
    for (let index = this.count; index < count; index += 1) this.#indexes.set(columnLetters(index), index);
  }

  /** The index of a column that is added if it is new. */
  add(name: string): number {
    const known = this.#indexes.get(name);
    if (known !== undefined) return known;
    const index = this.#indexes.size;
    this.#indexes.set(name, index);
    return index;
  }

  indexOf(name: string): number | undefined {
    return this.#indexes.get(name);
  }

  get count(): number {
    return this.#indexes.size;
  }

  get names(): readonly string[] {
    return [...this.#indexes.keys()];
  }

  /** How many columns have this name in the header. */
  countOf(name: string): number {
    return this.#ambiguous.get(name) ?? (this.#indexes.has(name) ? 1 : 0);
  }
}

export function columnLetters(index: number): string {
  const rest = Math.floor(index / 26);
  return (rest > 0 ? columnLetters(rest - 1) : '') + String.fromCharCode(65 + (index % 26));
}

/** The index of column letters, such as 27 for `AB`. */
export function columnIndex(letters: string): number {
  let index = 0;
  for (const letter of letters) index = index * 26 + letter.charCodeAt(0) - 64;
  return index - 1;
}
