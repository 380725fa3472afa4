import { type AddressKind, addressTable } from '../contract/addresses.ts';
import type { Route } from '../contract/formats/site.ts';
import { parsePath } from '../contract/paths.ts';

/** Answers of a kind, or all of them. Sizes are of all of them together. */
export type AnswerSizes = {
  readonly routes: number;
  readonly bytes: number;
  /** The size with the smallest stored variant of each answer; null when no answer has one. */
  readonly compressed_bytes: number | null;
};

/** A kind of answer. `path`: its address in the contract, with the parameters in braces. */
export type KindReport = AnswerSizes & { readonly kind: AddressKind; readonly path: string };

/** Counts routes and their bytes. */
class SizeCounter {
  #routes = 0;
  #bytes = 0;
  #compressed = 0;
  #hasVariants = false;

  add({ size, variants = [] }: Route): void {
    this.#routes += 1;
    this.#bytes += size;
    this.#compressed += Math.min(size, ...variants.map((variant) => variant.size));
    this.#hasVariants ||= variants.length > 0;
  }

  get sizes(): AnswerSizes {
    return {
      routes: this.#routes,
      bytes: this.#bytes,
      compressed_bytes: this.#hasVariants ? this.#compressed : null,
    };
  }
}

/** Sizes of answers by kind, in the order of the contract, and of all. Kinds without an answer are left out. */
export function answerSizes(routes: Iterable<Route>): {
  readonly answers: readonly KindReport[];
  readonly totals: AnswerSizes;
} {
  const total = new SizeCounter();
  const counters = new Map<AddressKind, SizeCounter>();
  for (const route of routes) {
    const kind = parsePath(route.path)?.kind;
    if (kind === undefined) continue;
    const counter = counters.get(kind) ?? new SizeCounter();
    counters.set(kind, counter);
    counter.add(route);
    total.add(route);
  }
  const answers = (Object.keys(addressTable) as AddressKind[]).flatMap((kind) => {
    const counter = counters.get(kind);
    return counter ? [{ kind, path: addressTable[kind].path, ...counter.sizes }] : [];
  });
  return { answers, totals: total.sizes };
}
