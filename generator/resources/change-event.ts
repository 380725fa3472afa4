import type * as z from 'zod';
import { changePayload, changeSemantics, eventFacts, eventProduct, eventStore } from '../contract/change.ts';
import { checkValue } from '../contract/check.ts';
import type { EventReader, EventRow } from '../database/event-reader.ts';
import type { Publication } from '../database/publications.ts';

/** How many names of products and stores are kept at hand. */
const cacheLimit = 50_000;

/** What an event calls its product or store, as JSON. */
type Named = { readonly id: string; readonly json: string };

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

  /**
   * Throws when an event is not as the contract says. What it calls its product and store is checked once for each
   * version of them; semantics and shape are constants of this file.
   */
  check(event: EventRow, where: string): void {
    const place = `${where}: event ${event.id}`;
    this.product(event);
    this.store(event);
    checkValue(eventFacts, place, [event.id, event.source_updated_at, event.retrieved_at]);
    checkValue(changePayload(event.type), `${place}: change`, JSON.parse(event.change));
  }

  publishedAt({ publication }: EventRow): string {
    return this.#publicationAt(publication).published_at;
  }

  /** The product as the event calls it. */
  product({ product_version }: EventRow): Named {
    return cached(this.#products, product_version, (version) => {
      const { id, sku, name, brand_name } = this.#reader.product(version);
      return named(eventProduct, id, { id, source_ids: { agency_sku: sku }, name, brand: brand_name });
    });
  }

  /** The store as the event calls it; null for an event that is not of a store. */
  store({ store_version }: EventRow): Named | null {
    if (store_version === null) return null;
    return cached(this.#stores, store_version, (version) => {
      const { id, inventory_store_code, name } = this.#reader.store(version);
      return named(eventStore, id, { id, source_ids: { inventory_store_code }, name });
    });
  }
}

function named(schema: z.ZodType, id: string, value: object): Named {
  checkValue(schema, `events of ${id}`, value);
  return { id, json: JSON.stringify(value) };
}

function cached(known: Map<number, Named>, version: number, make: (version: number) => Named): Named {
  const found = known.get(version);
  if (found) return found;
  if (known.size >= cacheLimit) known.clear();
  const made = make(version);
  known.set(version, made);
  return made;
}
