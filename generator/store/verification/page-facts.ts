import type { ChangeEvent } from '../../contract/change.ts';
import { compareInstants } from '../../contract/instant.ts';

export type Span = readonly [oldest: string, newest: string];

/** What a page index says of a page, taken from the page's events themselves. */
export type PageFacts = {
  readonly count: number;
  readonly retrieved: Span;
  readonly published: Span;
  readonly types: readonly string[];
  readonly stores: readonly string[];
  readonly products: readonly string[];
};

/** Facts of at least one event. Texts stand in order, each once. */
export function factsOf(events: readonly ChangeEvent[]): PageFacts {
  return {
    count: events.length,
    retrieved: spanOf(events.map(({ times }) => times.retrieved_at)),
    published: spanOf(events.map(({ times }) => times.published_at)),
    types: distinct(events.map(({ type }) => type)),
    stores: distinct(events.flatMap(({ store }) => (store === null ? [] : [store.id]))),
    products: distinct(events.map(({ product }) => product.id)),
  };
}

/** Facts of several pages together. */
export function joinFacts(pages: readonly PageFacts[]): PageFacts {
  return {
    count: pages.reduce((sum, { count }) => sum + count, 0),
    retrieved: spanOf(pages.flatMap(({ retrieved }) => retrieved)),
    published: spanOf(pages.flatMap(({ published }) => published)),
    types: distinct(pages.flatMap(({ types }) => types)),
    stores: distinct(pages.flatMap(({ stores }) => stores)),
    products: distinct(pages.flatMap(({ products }) => products)),
  };
}

export function spanOf(instants: readonly string[]): Span {
  let oldest = instants[0] ?? '';
  let newest = oldest;
  for (const instant of instants) {
    if (compareInstants(instant, oldest) < 0) oldest = instant;
    if (compareInstants(instant, newest) > 0) newest = instant;
  }
  return [oldest, newest];
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}
