import type { Route } from '../contract/formats/site.ts';
import { Failure } from '../failure.ts';

const [opening, rowStart, closing] = ['{"routes":[', '{"path":"', ']}\n'];
const between = `,${rowStart}`;
const hashKey = '"sha256":"';
const comma = Buffer.from(',');
const carriedKey = '"last_sequence":';

/**
 * The routes of a shard, as the bytes that a build wrote, by ascending path. A route takes no more memory than its JSON,
 * and is parsed when somebody wants it. A quote within a JSON string is escaped, so where a route begins cannot be in the
 * middle of one. Paths are ASCII.
 */
export class RouteShard {
  readonly bytes: Buffer;
  #starts: Uint32Array | null = null;

  /** Throws a Failure when the bytes are not as a build writes a shard. */
  constructor(bytes: Buffer) {
    const text = (start: number, end?: number) => bytes.toString('latin1', start, end);
    const isShard = text(0, opening.length) === opening && text(bytes.length - closing.length) === closing;
    const isEmpty = bytes.length === opening.length + closing.length;
    if (!isShard || !(isEmpty || text(opening.length, opening.length + rowStart.length) === rowStart)) {
      throw new Failure('a shard of the route table is not as a build writes it; build --full makes the site anew');
    }
    this.bytes = bytes;
  }

  /** The shard of the JSON of routes by their paths. */
  static of(rows: ReadonlyMap<string, string>): RouteShard {
    const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, json]) => json);
    return new RouteShard(Buffer.from(`${opening}${sorted.join(',')}${closing}`));
  }

  /** The JSON of a path's route. */
  row(path: string): string | undefined {
    const place = this.#placeOf(path);
    return this.#hasPathAt(place, path) ? (this.#rowAt(place) ?? undefined) : undefined;
  }

  /** The hash of a path's answer. It is the first one of its row: those of variants come after it. */
  hashOf(path: string): string | undefined {
    const place = this.#placeOf(path);
    if (!this.#hasPathAt(place, path)) return undefined;
    const at = this.bytes.indexOf(hashKey, this.#rowStarts()[place], 'latin1') + hashKey.length;
    return this.bytes.toString('latin1', at, at + 64);
  }

  /**
   * The shard with other rows: the JSON of a path's route, or null for a path that it loses. The bytes of the other rows are
   * copied as they are.
   */
  with(rows: ReadonlyMap<string, string | null>): RouteShard {
    const starts = this.#rowStarts();
    const parts: Uint8Array[] = [];
    let next = 0;
    const keepUpTo = (place: number) => {
      if (place > next) parts.push(this.bytes.subarray(starts[next], (starts[place] as number) - 1));
      next = place;
    };
    for (const [path, json] of [...rows].sort(([a], [b]) => (a < b ? -1 : 1))) {
      keepUpTo(this.#placeOf(path));
      if (this.#hasPathAt(next, path)) next += 1;
      if (json !== null) parts.push(Buffer.from(json));
    }
    keepUpTo(starts.length - 1);
    const separated = parts.flatMap((part, index) => (index === 0 ? [part] : [comma, part]));
    return new RouteShard(Buffer.concat([Buffer.from(opening), ...separated, Buffer.from(closing)]));
  }

  /** Paths and the JSON of their routes, by ascending path. */
  *rows(): Generator<[path: string, json: string]> {
    const text = this.bytes.toString('utf8', opening.length, this.bytes.length - closing.length);
    for (let start = 0; start < text.length; ) {
      const end = text.indexOf(between, start);
      const json = text.slice(start, end < 0 ? text.length : end);
      yield [pathIn(json), json];
      start += json.length + 1;
    }
  }

  /** Every path, and whether its route is carried for an earlier publication. */
  *paths(): Generator<[path: string, isCarried: boolean]> {
    if (this.bytes.includes(carriedKey)) {
      for (const [path, json] of this.rows()) yield [path, json.includes(carriedKey)];
      return;
    }
    const starts = this.#rowStarts();
    for (let index = 0; index < starts.length - 1; index += 1) {
      const at = (starts[index] as number) + rowStart.length;
      yield [this.bytes.toString('utf8', at, this.bytes.indexOf('"', at)), false];
    }
  }

  /**
   * The rows that another shard has otherwise: the JSON of a path's route here and there, null where there is none. Rows with
   * the same bytes are passed over without becoming text, because nearly all are the same from one publication to the next.
   */
  *differencesTo(next: RouteShard): Generator<[own: string | null, other: string | null]> {
    const [own, others] = [this.#rowStarts(), next.#rowStarts()];
    let [i, j] = [0, 0];
    while (i < own.length - 1 || j < others.length - 1) {
      if (i < own.length - 1 && j < others.length - 1 && this.#hasRowOf(i, next, j)) {
        i += 1;
        j += 1;
        continue;
      }
      const [row, other] = [this.#rowAt(i), next.#rowAt(j)];
      const [path, otherPath] = [row && pathIn(row), other && pathIn(other)];
      const isFirst = path !== null && (otherPath === null || path <= otherPath);
      const isOther = otherPath !== null && (path === null || otherPath <= path);
      yield [isFirst ? row : null, isOther ? other : null];
      if (isFirst) i += 1;
      if (isOther) j += 1;
    }
  }

  /** The hashes of all answers and their variants. */
  *hashes(): Generator<string> {
    const text = this.bytes.toString('latin1');
    for (let at = text.indexOf(hashKey); at >= 0; at = text.indexOf(hashKey, at)) {
      at += hashKey.length;
      yield text.slice(at, at + 64);
    }
  }

  /** The place of the first row whose path is not before this one. */
  #placeOf(path: string): number {
    const starts = this.#rowStarts();
    const key = `${path}"`;
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      const at = (starts[middle] as number) + rowStart.length;
      if (this.bytes.toString('latin1', at, at + key.length) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #hasPathAt(place: number, path: string): boolean {
    const key = `${rowStart}${path}"`;
    const start = this.#rowStarts()[place] as number;
    return this.bytes.toString('latin1', start, start + key.length) === key;
  }

  /** The JSON of the route at a place in the order of paths; null after the last. */
  #rowAt(index: number): string | null {
    const starts = this.#rowStarts();
    if (index >= starts.length - 1) return null;
    return this.bytes.toString('utf8', starts[index], (starts[index + 1] as number) - 1);
  }

  /** Whether a row has the bytes of a row of another shard. */
  #hasRowOf(index: number, other: RouteShard, otherIndex: number): boolean {
    const [own, others] = [this.#rowStarts(), other.#rowStarts()];
    const [start, end] = [own[index] as number, own[index + 1] as number];
    const [from, to] = [others[otherIndex] as number, others[otherIndex + 1] as number];
    return end - start === to - from && this.bytes.compare(other.bytes, from, to - 1, start, end - 1) === 0;
  }

  /** Where each row begins, and where the next one would. */
  #rowStarts(): Uint32Array {
    if (this.#starts) return this.#starts;
    const starts: number[] = [];
    if (this.bytes.length > opening.length + closing.length) starts.push(opening.length);
    for (let at = this.bytes.indexOf(between); at >= 0; at = this.bytes.indexOf(between, at + 1)) starts.push(at + 1);
    starts.push(this.bytes.length - closing.length + 1);
    this.#starts = Uint32Array.from(starts);
    return this.#starts;
  }
}

function pathIn(json: string): string {
  return json.slice(rowStart.length, json.indexOf('"', rowStart.length));
}

export function routeOf(json: string): Route {
  return JSON.parse(json) as Route;
}
