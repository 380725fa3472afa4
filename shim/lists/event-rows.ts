import { type EventPage, eventPage } from '../../generator/contract/formats/list-reading.ts';
import { compareInstants } from '../../generator/contract/instant.ts';
import { checked, type Reading, textMemory } from '../site/verified-objects.ts';

/** Which events are wanted. Null or undefined: all of them. Times are canonical, and the bounds are included. */
export type EventFilter = {
  readonly types: readonly string[] | null;
  readonly store: string | undefined;
  readonly since: string | undefined;
  readonly until: string | undefined;
};

export function isWithin(
  oldest: string,
  newest: string,
  { since, until }: Pick<EventFilter, 'since' | 'until'>,
): boolean {
  if (since !== undefined && compareInstants(newest, since) < 0) return false;
  return until === undefined || compareInstants(oldest, until) <= 0;
}

/** The text of an event, with the fields that a filter compares. `store`: its id, null where there is none. */
type EventRow = {
  readonly text: string;
  readonly type: string;
  readonly store: string | null;
  readonly retrieved: string;
};

/** Bytes with the rows one after another, the first at `from`, each followed by one byte. */
type RowBytes = {
  readonly bytes: Uint8Array;
  readonly from: number;
  /** Whether each character of a row is one byte. */
  readonly isPlain: boolean;
  /** Whether the bytes are those of the page itself, so that they need not be parsed when they are read again. */
  readonly isPage: boolean;
};

/** Bytes of memory that a page takes without its text, each of its rows, and each text of one beside its characters. */
const [pageMemory, rowMemory, textMemoryBeside] = [1000, 15, 80];

/**
 * The events of a change list or of one of its pages, newest first. Their text stays as bytes, of which rows are cut
 * when they are wanted. Where memory is short, only the rows that were wanted so far stay, where each row begins, and
 * what filters compare: a thirtieth of the page.
 */
export class EventRows {
  readonly count: number;
  /** The page without its events, as JSON. */
  readonly #rest: string;
  #around: Pick<EventPage, 'meta' | 'links'> | null = null;
  /** Null once they were given up. */
  #bytes: Uint8Array | null;
  readonly #isPage: boolean;
  /** By row: where it begins. The last element is where the row after the last would. */
  readonly #starts: Uint32Array;
  /** By row: the places of its type, store and time in the tables. */
  readonly #places: Uint8Array;
  readonly #types: readonly string[];
  readonly #stores: readonly (string | null)[];
  readonly #times: readonly string[];
  /** By row: its text, if it was wanted. */
  readonly #texts: (string | undefined)[];

  constructor(rows: readonly EventRow[], rest: string, { bytes, from, isPlain, isPage }: RowBytes) {
    this.count = rows.length;
    this.#rest = rest;
    this.#bytes = bytes;
    this.#isPage = isPage;
    this.#texts = new Array(rows.length);
    this.#starts = new Uint32Array(rows.length + 1);
    this.#starts[0] = from;
    this.#places = new Uint8Array(3 * rows.length);
    const [types, stores, times] = [new Table<string>(), new Table<string | null>(), new Table<string>()];
    for (const [row, { text, type, store, retrieved }] of rows.entries()) {
      const length = isPlain ? text.length : encoder.encode(text).length;
      this.#starts[row + 1] = (this.#starts[row] as number) + length + 1;
      this.#places.set([types.place(type), stores.place(store), times.place(retrieved)], 3 * row);
    }
    this.#types = types.values.map(shared);
    this.#stores = stores.values.map((store) => store && shared(store));
    // Printed and parsed, because a piece of the page's text would keep all of it in memory.
    this.#times = JSON.parse(JSON.stringify(times.values));
  }

  get around(): Pick<EventPage, 'meta' | 'links'> {
    this.#around ??= JSON.parse(this.#rest) as EventPage;
    return this.#around;
  }

  /** The rows from `start` on that pass a filter, `most` of them at most, in order. */
  passing({ types, store, since, until }: EventFilter, start: number, most: number): number[] {
    const found: number[] = [];
    const wantedStore = store === undefined ? -1 : this.#stores.indexOf(store);
    if (store !== undefined && wantedStore < 0) return found;
    const areTypes = types && this.#types.map((type) => types.includes(type));
    const isAnyTime = since === undefined && until === undefined;
    const areTimes = isAnyTime ? null : this.#times.map((time) => isWithin(time, time, { since, until }));
    for (let row = start; row < this.count && found.length < most; row += 1) {
      const place = 3 * row;
      if (store !== undefined && this.#places[place + 1] !== wantedStore) continue;
      if (areTypes !== null && !areTypes[this.#places[place] as number]) continue;
      if (areTimes === null || areTimes[this.#places[place + 2] as number]) found.push(row);
    }
    return found;
  }

  /** Cuts these rows, so that their texts stay. False where the text of one of them was given up. */
  take(rows: readonly number[]): boolean {
    for (const row of rows) {
      if (this.#texts[row] !== undefined) continue;
      if (this.#bytes === null) return false;
      const [start, next] = [this.#starts[row] as number, this.#starts[row + 1] as number];
      this.#texts[row] = decoder.decode(this.#bytes.subarray(start, next - 1));
    }
    return true;
  }

  /** The texts of rows that were taken. */
  texts(rows: readonly number[]): string[] {
    return rows.map((row) => {
      const text = this.#texts[row];
      if (text === undefined) throw new Error('expected rows that were taken');
      return text;
    });
  }

  /** Takes the page's bytes again after they were given up. False where they have to be parsed again. */
  refill(bytes: Uint8Array): boolean {
    if (this.#isPage) this.#bytes = bytes;
    return this.#isPage;
  }

  /** Takes over the rows that were taken from the same page. */
  takeFrom(before: EventRows): void {
    for (const [row, text] of before.#texts.entries()) if (text !== undefined) this.#texts[row] = text;
  }

  /** Bytes of memory. As long as there is the whole text, all of it may be cut as well. */
  get memory(): number {
    let sum = pageMemory + rowMemory * this.count;
    if (this.#bytes !== null) return sum + 2 * this.#bytes.length;
    for (const text of this.#texts) if (text !== undefined) sum += textMemoryBeside + textMemory(text);
    return sum;
  }

  /** Gives up the text of the rows that nobody has wanted. Returns the bytes that are left; null if there was no such. */
  shrink(): number | null {
    if (this.#bytes === null) return null;
    this.#bytes = null;
    return this.memory;
  }
}

/** Reads a change list or one of its pages. Rows of it may have been given up. */
export const eventPageReading: Reading<EventRows> = {
  name: 'change page',
  memoryOf: (rows) => rows.memory,
  shrink: (rows) => rows.shrink(),
  of: (bytes, _work, before) => pageOf(bytes, before),
};

/** Reads the same with certain of its rows: these are taken, and stay with whoever has the value. */
export function eventRowsReading(rows: readonly number[]): Reading<EventRows> {
  return {
    ...eventPageReading,
    of(bytes, _work, before) {
      const page = pageOf(bytes, before);
      page.take(rows);
      return page;
    },
    isEnough: (page) => page.take(rows),
  };
}

/** `before`: the same page, of which rows were given up. */
function pageOf(bytes: Uint8Array, before: EventRows | undefined): EventRows {
  if (before?.refill(bytes)) return before;
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  const page = usualRows(text, bytes) ?? parsedRows(text);
  if (before) page.takeFrom(before);
  return page;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Values by the order in which they came. A place fits into a byte, because a page has at most 100 events. */
class Table<Value> {
  readonly #places = new Map<Value, number>();

  get values(): Value[] {
    return [...this.#places.keys()];
  }

  place(value: Value): number {
    const known = this.#places.get(value);
    if (known !== undefined) return known;
    const place = this.#places.size;
    if (place > 255) throw new Error('expected at most 100 events, got more different ones than 256');
    this.#places.set(value, place);
    return place;
  }
}

/** Types and ids of stores, which most pages have in common. More than these are not shared. */
const sharedTexts = new Map<string, string>();
const mostShared = 16_384;

function shared(text: string): string {
  const known = sharedTexts.get(text);
  if (known !== undefined) return known;
  const own = JSON.parse(JSON.stringify(text)) as string;
  if (sharedTexts.size < mostShared) sharedTexts.set(own, own);
  return own;
}

const opening = '{"data":[';
/** The beginning and the end of an event as builds write it. They also hold for what is between two events. */
const eventStart =
  /\{"id":"[^"\\]*","type":"([^"\\]*)","product":\{"id":"[^"\\]*","source_ids":\{"agency_sku":"[^"\\]*"\},"name":"(?:[^"\\]|\\.)*","brand":(?:null|"(?:[^"\\]|\\.)*")\},"store":(?:null|\{"id":"([^"\\]*)",)/y;
const timesStart = ',"times":{"source_updated_at":';
const eventEnd =
  /,"times":\{"source_updated_at":(?:null|"[^"\\]*"),"retrieved_at":"([^"\\]*)","published_at":"[^"\\]*"\},"upstream_age_known":(?:true|false)\}/y;

/** The rows as parts of the page's bytes; null unless every event begins and ends as usual. */
function usualRows(text: string, bytes: Uint8Array): EventRows | null {
  // The text lacks a byte order mark that the bytes may have.
  if (!text.startsWith(opening) || bytes[0] !== opening.charCodeAt(0)) return null;
  const rows: EventRow[] = [];
  let at = opening.length;
  while (text[at] !== ']' || rows.length > 0) {
    eventStart.lastIndex = at;
    const begins = eventStart.exec(text);
    const times = begins === null ? -1 : text.indexOf(timesStart, eventStart.lastIndex);
    eventEnd.lastIndex = Math.max(times, 0);
    const ends = times < 0 ? null : eventEnd.exec(text);
    if (begins === null || ends === null) return null;
    const [, type = '', store = null] = begins;
    const end = eventEnd.lastIndex;
    rows.push({ text: text.slice(at, end), type, store, retrieved: ends[1] as string });
    at = end;
    if (text[end] !== ',') break;
    at += 1;
  }
  if (text[at] !== ']') return null;
  const rest = restOf(checked(eventPage, JSON.parse(opening + text.slice(at))));
  const isPlain = text.length === bytes.length;
  return new EventRows(rows, rest, { bytes, from: opening.length, isPlain, isPage: true });
}

function parsedRows(text: string): EventRows {
  const page = checked(eventPage, JSON.parse(text));
  const rows = page.data.map((event) => {
    const { type, store, times } = event;
    return { text: JSON.stringify(event), type, store: store?.id ?? null, retrieved: times.retrieved_at };
  });
  const joined = rows.map(({ text }) => text).join();
  const bytes = encoder.encode(joined);
  const isPlain = joined.length === bytes.length;
  return new EventRows(rows, restOf(page), { bytes, from: 0, isPlain, isPage: false });
}

function restOf({ meta, links }: EventPage): string {
  return JSON.stringify({ meta, links });
}
