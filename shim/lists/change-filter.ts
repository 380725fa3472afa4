import { type ChangeType, storeChangeTypes } from '../../generator/contract/documents/change.ts';
import { compareInstants } from '../../generator/contract/instant.ts';
import type { QueryOf } from '../../generator/contract/parameters.ts';

/** An event as far as a selection looks at it. */
export type SelectableEvent = {
  readonly type: string;
  readonly store: { readonly id: string } | null;
  readonly times: { readonly retrieved_at: string };
};

/** What a page or segment says of its events; `stores` are positions in a table of ids. */
export type EventSummary = {
  readonly retrieved: readonly [oldest: string, newest: string];
  readonly types: readonly string[];
  readonly stores: readonly number[];
};

type EventQuery = Pick<QueryOf<'family_changes'>, 'store_id' | 'types' | 'since' | 'until'>;

/** Which events of a feed were asked for, contract.md 3. */
export class ChangeFilter {
  readonly #store: string | null;
  readonly #types: readonly ChangeType[] | null;
  readonly #since: string | null;
  readonly #until: string | null;

  constructor({ store_id, types, since, until }: EventQuery) {
    this.#store = store_id ?? null;
    // Only events of a store can be of this store, so that summaries need not be asked about others.
    this.#types =
      (store_id === undefined ? types : storeChangeTypes.filter((type) => types?.includes(type) ?? true)) ?? null;
    this.#since = since ?? null;
    this.#until = until ?? null;
  }

  /** Every event passes. */
  get isOpen(): boolean {
    return this.#store === null && this.#types === null && this.#since === null && this.#until === null;
  }

  passes({ type, store, times }: SelectableEvent): boolean {
    return (
      (this.#types === null || (this.#types as readonly string[]).includes(type)) &&
      (this.#store === null || store?.id === this.#store) &&
      this.#isWithin(times.retrieved_at, times.retrieved_at)
    );
  }

  /** Whether some event of a run may pass; `stores` is the table of the document in which its summary stands. */
  mayPass({ retrieved: [oldest, newest], types, stores }: EventSummary, table: readonly string[]): boolean {
    return (
      (this.#types === null || this.#types.some((type) => types.includes(type))) &&
      (this.#store === null || stores.some((position) => table[position] === this.#store)) &&
      this.#isWithin(oldest, newest)
    );
  }

  #isWithin(oldest: string, newest: string): boolean {
    if (this.#since !== null && compareInstants(newest, this.#since) < 0) return false;
    return this.#until === null || compareInstants(oldest, this.#until) <= 0;
  }
}
