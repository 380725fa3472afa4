import { checkValue } from '../contract/checked-value.ts';
import {
  type ChangeType,
  changePayload,
  changeSemantics,
  eventProduct,
  eventStore,
} from '../contract/documents/change.ts';
import {
  changeColumnsOf,
  type EventChange,
  productColumnsOf,
  storeColumnsOf,
} from '../contract/formats/change-pieces.ts';
import { jsonMembers } from '../contract/json.ts';
import { canonicalUuid, dateTime, uuid } from '../contract/primitives.ts';
import type { EventProductRow, EventReader, EventRow, EventStoreRow } from '../database/events.ts';
import type { Publication } from '../database/publications.ts';

/** Instants that are remembered as valid, at most. In an inventory round thousands of events share one instant. */
const instantLimit = 50_000;

/** Changes of a type that are remembered as valid, at most. Most events of stores change one small number into another. */
const changeLimit = 10_000;

/** Turns rows of the log into the JSON of events. An event has the same JSON in every list. */
export class EventTexts {
  readonly #publicationAt: (sequence: number) => Publication;
  readonly #products: (version: number) => EventName;
  readonly #stores: (version: number) => EventName;
  readonly #goodInstants = new Set<string>();
  /** The columns of changes that are valid, by change, for each type. */
  readonly #goodChanges = new Map<ChangeType, Map<string, EventColumns>>();

  constructor(reader: EventReader, publicationAt: (sequence: number) => Publication) {
    this.#publicationAt = publicationAt;
    this.#products = eventNames((first, last) => reader.products(first, last), productName);
    this.#stores = eventNames((first, last) => reader.stores(first, last), storeName);
  }

  of(event: EventRow): string {
    const { id, type, change, retrieved_at, source_updated_at } = event;
    const product = this.product(event).json;
    const store = this.store(event)?.json ?? 'null';
    const updated = source_updated_at === null ? 'null' : `"${source_updated_at}"`;
    return (
      `{"id":"${id}","type":"${type}","product":${product},"store":${store},"change":${change},` +
      `"semantics":"${changeSemantics[type]}","times":{"source_updated_at":${updated},` +
      `"retrieved_at":"${retrieved_at}","published_at":"${this.publication(event).published_at}"},` +
      `"upstream_age_known":${source_updated_at !== null}}`
    );
  }

  /**
   * Throws a Failure when an event does not match the contract. Its product and store are checked once per version, and
   * equal instants and changes once. Semantics and shape are constants of this file and need no check.
   */
  check(event: EventRow, list: string): void {
    this.columns(event, list);
  }

  /** Checks an event. Returns the columns that say what changed (docs/exports.md). */
  columns(event: EventRow, list: string): EventColumns {
    this.product(event);
    this.store(event);
    const { id, type, retrieved_at, source_updated_at } = event;
    const goodChanges = this.#goodChanges.get(type) ?? new Map<string, EventColumns>();
    const known = goodChanges.get(event.change);
    const isSound =
      (canonicalUuid.test(id) || uuid.safeParse(id).success) &&
      this.#isInstant(retrieved_at) &&
      (source_updated_at === null || this.#isInstant(source_updated_at));
    if (isSound && known !== undefined) return known;
    const change: unknown = JSON.parse(event.change);
    const place = () => `${list}: event ${id}`;
    if (!isSound) {
      checkValue(uuid, place, id);
      checkValue(dateTime, place, retrieved_at);
      checkValue(dateTime.nullable(), place, source_updated_at);
    }
    checkValue(changePayload(type), () => `${place()}: change`, change);
    const own = changeColumnsOf({ type, change } as EventChange);
    const columns = { json: jsonMembers(own), values: { type, semantics: changeSemantics[type], ...own, change } };
    if (goodChanges.size >= changeLimit) goodChanges.clear();
    this.#goodChanges.set(type, goodChanges.set(event.change, columns));
    return columns;
  }

  publication({ publication }: EventRow): Publication {
    return this.#publicationAt(publication);
  }

  /** The product as the event names it. */
  product({ product_version }: Pick<EventRow, 'product_version'>): EventName {
    return this.#products(product_version);
  }

  /** The store as the event names it. Null for an event that concerns no store. */
  store({ store_version }: EventRow): EventName | null {
    return store_version === null ? null : this.#stores(store_version);
  }

  #isInstant(instant: string): boolean {
    if (this.#goodInstants.has(instant)) return true;
    if (!dateTime.safeParse(instant).success) return false;
    if (this.#goodInstants.size >= instantLimit) this.#goodInstants.clear();
    this.#goodInstants.add(instant);
    return true;
  }
}

function productName({ id, sku, name, brand_name }: EventProductRow): EventName {
  const value = { id, source_ids: { agency_sku: sku }, name, brand: brand_name };
  checkValue(eventProduct, () => `events of product ${id}`, value);
  return { id, json: JSON.stringify(value), columns: columnsOf(productColumnsOf(value)) };
}

function storeName({ id, inventory_store_code, name }: EventStoreRow): EventName {
  const value = { id, source_ids: { inventory_store_code }, name };
  checkValue(eventStore, () => `events of store ${id}`, value);
  return { id, json: JSON.stringify(value), columns: columnsOf(storeColumnsOf(value)) };
}

/**
 * Some columns of the record of an event in a piece. `json`: their JSON, without braces. `values`: the columns themselves, and of
 * a change those that the record has elsewhere. Events that agree in them have the same object.
 */
export type EventColumns = { readonly json: string; readonly values: Readonly<Record<string, unknown>> };

export function columnsOf(values: EventColumns['values']): EventColumns {
  return { json: jsonMembers(values), values };
}

/** Versions that are read at a time. Events of neighbouring products and times have neighbouring versions. */
const blockSize = 1_000;

/** Names that are kept in memory, at most. */
const keptLimit = 50_000;

/** A product or a store as events name it: its id, and all of it as JSON and as columns of a piece. */
export type EventName = { readonly id: string; readonly json: string; readonly columns: EventColumns };

/** Names of products or stores by version. Rows are read in blocks, and a name is made once while it is kept. */
function eventNames<Row extends { readonly version: number }>(
  read: (first: number, last: number) => readonly Row[],
  make: (row: Row) => EventName,
): (version: number) => EventName {
  const names = new Map<number, EventName>();
  const rows = new Map<number, Row>();
  const readBlock = (version: number) => {
    if (rows.size >= keptLimit) rows.clear();
    const first = version - (version % blockSize);
    for (const row of read(first, first + blockSize - 1)) rows.set(row.version, row);
    return rows.get(version);
  };
  const makeName = (version: number) => {
    const row = rows.get(version) ?? readBlock(version);
    if (!row) throw new Error(`no version ${version} of what an event names`);
    if (names.size >= keptLimit) names.clear();
    const name = make(row);
    names.set(version, name);
    return name;
  };
  return (version) => names.get(version) ?? makeName(version);
}
