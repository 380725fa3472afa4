/** One page of a list, or all rows of a selection that was answered at once. */
export type Page<Row, Meta> = { readonly data: readonly Row[]; readonly meta: Meta };

/** The rows of a list, read page by page while they are asked for. Each iteration starts over. */
export class RowList<Row, Meta> implements AsyncIterable<Row> {
  readonly #pages: () => AsyncIterable<Page<Row, Meta>>;
  readonly #limit: number;

  /** `limit`: rows at most. */
  constructor(pages: () => AsyncIterable<Page<Row, Meta>>, limit = Number.POSITIVE_INFINITY) {
    this.#pages = pages;
    this.#limit = limit;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for await (const { data } of this.pages()) yield* data;
  }

  /** The pages of the list. The last one is cut where the limit ends it. */
  async *pages(): AsyncGenerator<Page<Row, Meta>, void, undefined> {
    let left = this.#limit;
    if (left <= 0) return;
    for await (const page of this.#pages()) {
      yield page.data.length <= left ? page : { ...page, data: page.data.slice(0, left) };
      left -= page.data.length;
      if (left <= 0) return;
    }
  }

  /** The first rows, at most `count`. */
  async take(count: number): Promise<Row[]> {
    const rows: Row[] = [];
    for await (const row of new RowList(this.#pages, Math.min(count, this.#limit))) rows.push(row);
    return rows;
  }
}
