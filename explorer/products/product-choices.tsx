import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { type GoneProduct, type GoneProducts, goneFacts, useGoneProducts } from './gone-products.ts';
import { type ProductIndex, useProductIndex } from './product-index.ts';
import { KeyFacts } from './product-link.tsx';

/** A product to choose, with a few facts that tell it from others. */
export type ProductChoice = { readonly sku: string; readonly name: string; readonly facts: ComponentChildren };

/** The products that a field finds: those of the catalog, and after them those that left it. */
export class ProductChoices {
  readonly #index: ProductIndex;
  readonly #gone: GoneProducts;

  constructor(index: ProductIndex, gone: GoneProducts) {
    this.#index = index;
    this.#gone = gone;
  }

  /** The first products that a query finds, at most `most`, and how many it finds. */
  find(query: string, most: number): { readonly first: readonly ProductChoice[]; readonly count: number } {
    const [listed, gone] = [this.#index.find(query), this.#gone.find(query)];
    const first = [...listed.slice(0, most).map(this.#listed), ...gone.slice(0, most).map(left)];
    return { first: first.slice(0, most), count: listed.length + gone.length };
  }

  /** The product that a query means; several if they match as well. */
  meant(query: string): readonly ProductChoice[] {
    const listed = this.#index.meant(query);
    return listed.length > 0 ? listed.map(this.#listed) : this.#gone.find(query).map(left);
  }

  /** The product with this SKU; null if there is none. */
  named(sku: string): ProductChoice | null {
    const product = this.#index.positionOf(sku);
    if (product >= 0) return this.#listed(product);
    const gone = this.#gone.named(sku);
    return gone && left(gone);
  }

  readonly #listed = (product: number): ProductChoice => {
    const sku = this.#index.sku(product);
    return { sku, name: this.#index.name(product), facts: <KeyFacts index={this.#index} sku={sku} /> };
  };
}

function left(product: GoneProduct): ProductChoice {
  return { sku: product.sku, name: product.name, facts: <span class="muted">{goneFacts(product)}</span> };
}

/** The products to choose from; null until both lists are loaded. */
export function useProductChoices(isWanted: boolean): ProductChoices | null {
  const index = useProductIndex(isWanted).value;
  const gone = useGoneProducts(isWanted).value;
  return useMemo(() => index && gone && new ProductChoices(index, gone), [index, gone]);
}
