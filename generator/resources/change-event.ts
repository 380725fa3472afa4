import { changeEvent, changeSemantics } from '../contract/change.ts';
import type { EventReader, EventRow } from '../database/event-reader.ts';
import type { Publication } from '../database/publications.ts';

/** How many names of products and stores are kept at hand. */
const cacheLimit = 20_000;

/** What an event calls its product or store: as a value, and as the JSON of it. */
type Named = { readonly id: string; readonly value: object; readonly json: string };

/** Turns rows of the log into the JSON of events. An event's JSON is the same in every list it stands in. */
export class EventTexts {
  readonly #reader: EventReader;
  readonly #publicationAt: (sequence: number) => Publication;
  readonly #products = new Map<number, Named>();
  readonly #stores = new Map<number, Named>();

  constructor(reader: EventReader, publicationAt: (sequence: number) => Publication) {
    this.#reader = reader;
    this.#publicationAt = publicationAt;
  }

  of(event: EventRow): string {
    const { id, type, change, retrieved_at, source_updated_at } = event;
    const product = this.product(event).json;
    const store = this.store(event)?.json ?? 'null';
    const updated = source_updated_at === null ? 'null' : `"${source_updated_at}"`;
    return (
      `{"id":"${id}","type":"${type}","product":${product},"store":${store},"change":${change},` +
      `"semantics":"${changeSemantics[type]}","times":{"source_updated_at":${updated},` +
      `"retrieved_at":"${retrieved_at}","published_at":"${this.publishedAt(event)}"},` +
      `"upstream_age_known":${source_updated_at !== null}}`
    );
  }

  /** What is wrong with an event; null when it is as the contract says. */
  faultOf(event: EventRow): string | null {
    const { id, type, change, retrieved_at, source_updated_at } = event;
    const result = changeEvent.safeParse({
      id,
      type,
      product: this.product(event).value,
      store: this.store(event)?.value ?? null,
      change: JSON.parse(change),
      semantics: changeSemantics[type],
      times: { source_updated_at, retrieved_at, published_at: this.publishedAt(event) },
      upstream_age_known: source_updated_at !== null,
    });
    if (result.success) return null;
    const [issue] = result.error.issues;
    return `${issue?.path.join('.') || 'the event'}: ${issue?.message ?? 'does not match its schema'}`;
  }

  publishedAt({ publication }: EventRow): string {
    return this.#publicationAt(publication).published_at;
  }

  /** The product as the event calls it. */
  product({ product_version }: EventRow): Named {
    return cached(this.#products, product_version, (version) => {
      const { id, sku, name, brand_name } = this.#reader.product(version);
      return named(id, { id, source_ids: { agency_sku: sku }, name, brand: brand_name });
    });
  }

  /** The store as the event calls it; null for an event that is not of a store. */
  store({ store_version }: EventRow): Named | null {
    if (store_version === null) return null;
    return cached(this.#stores, store_version, (version) => {
      const { id, inventory_store_code, name } = this.#reader.store(version);
      return named(id, { id, source_ids: { inventory_store_code }, name });
    });
  }
}

function named(id: string, value: object): Named {
  return { id, value, json: JSON.stringify(value) };
}

function cached(known: Map<number, Named>, version: number, make: (version: number) => Named): Named {
  const found = known.get(version);
  if (found) return found;
  if (known.size >= cacheLimit) known.clear();
  const made = make(version);
  known.set(version, made);
  return made;
}
