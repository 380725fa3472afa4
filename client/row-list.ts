/**
 * A page of a list. If the client computed a selection, a page can have all of its rows.
 *
 * @example
 * ```ts
 * import type { Brand, ListMeta, Page } from 'shelfpress/client';
 *
 * const show = ({ data, meta }: Page<Brand, ListMeta>) => console.log(data.length, meta.warnings);
 * for await (const page of site.brands().pages()) show(page);
 * ```
 */
export type Page<Row, Meta> = { readonly data: readonly Row[]; readonly meta: Meta };

/**
 * The rows of a list, read page by page as they are needed. Each iteration starts from the beginning.
 *
 * @example
 * ```ts
 * for await (const { name } of site.stores()) console.log(name);
 * ```
 */
export class RowList<Row, Meta> implements AsyncIterable<Row> {
  readonly #pages: () => AsyncIterable<Page<Row, Meta>>;
  readonly #limit: number;

  /** `limit`: the most rows. */
  constructor(pages: () => AsyncIterable<Page<Row, Meta>>, limit = Number.POSITIVE_INFINITY) {
    this.#pages = pages;
    this.#limit = limit;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for await (const { data } of this.pages()) yield* data;
  }

  /**
   * The pages of the list with their `meta`. The last one is cut at the limit.
   *
   * @example
   * ```ts
   * for await (const { data, meta } of site.changes().pages()) console.log(data.length, meta.history.retention_days);
   * ```
   */
  async *pages(): AsyncGenerator<Page<Row, Meta>, void, undefined> {
    let left = this.#limit;
    if (left <= 0) return;
    for await (const page of this.#pages()) {
      yield page.data.length <= left ? page : { ...page, data: page.data.slice(0, left) };
      left -= page.data.length;
      if (left <= 0) return;
    }
  }

  /**
   * The first rows, up to `count`.
   *
   * @example
   * ```ts
   * const brands = await site.brands({ q: 'wren' }).take(10);
   * ```
   */
  async take(count: number): Promise<Row[]> {
    const rows: Row[] = [];
    for await (const row of new RowList(this.#pages, Math.min(count, this.#limit))) rows.push(row);
    return rows;
  }
}
