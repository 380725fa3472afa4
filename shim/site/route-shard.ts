import { type Route, route, shard } from '../../generator/contract/formats/site.ts';
import { parseJson, type Reading } from './verified-objects.ts';

const beginning = '{"routes":[';
const end = ']}';
/**
 * Every route begins with this text. It occurs nowhere else in a shard, because quotes inside of a text are escaped.
 */
const routeStart = '{"path":';

/**
 * A shard of the route table, kept as its bytes. A publication of 90,000 routes has 30 MB of them. Objects would take
 * twice as much memory, and the garbage collector would have to go through them. A route is parsed and checked when it
 * is requested.
 */
export class RouteShard {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Null when the shard has no such path. Throws when the route does not have the shape of one. */
  find(path: string): Route | null {
    const text = new TextDecoder().decode(this.#bytes);
    const start = text.indexOf(`${routeStart}${JSON.stringify(path)},`);
    if (start < 0) return null;
    const next = text.indexOf(`,${routeStart}`, start);
    return route.parse(JSON.parse(text.slice(start, next < 0 ? text.length - end.length : next)));
  }
}

/** Shards are written in one form, which {@link RouteShard} searches. A shard in another form is rewritten to it. */
export const routeShardReading: Reading<RouteShard> = {
  name: 'shard',
  weight: 1,
  of(bytes) {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (text.startsWith(beginning + routeStart) && text.endsWith(end)) return new RouteShard(bytes);
    const { routes } = parseJson(shard, bytes);
    const usual = routes.map(({ path, ...rest }) => JSON.stringify({ path, ...rest })).join(',');
    return new RouteShard(new TextEncoder().encode(beginning + usual + end));
  },
};

/** Characters of JSON that are parsed at a time, at least. */
const defaultPieceLength = 16 * 1024;

/**
 * Parses a JSON object piece by piece: yields the elements of its array `name` in order, some at a time, and returns
 * the object with that array empty. Throws a SyntaxError if the text is not JSON or the object has no such array.
 */
export function* jsonElements(
  text: string,
  name: string,
  pieceLength = defaultPieceLength,
): Generator<readonly unknown[], unknown> {
  const opening = arrayStart(text, name);
  let start = opening + 1;
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = stringEnd(text, at);
    else if (character === '{' || character === '[') depth += 1;
    else if (character === ',' && depth === 0 && at - start >= pieceLength) {
      yield JSON.parse(`[${text.slice(start, at)}]`);
      start = at + 1;
      if (/^\s*\]/.test(text.slice(start, start + 16))) throw new SyntaxError('expected an element, got the end');
    } else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth >= 0) continue;
      yield JSON.parse(`[${text.slice(start, at)}]`);
      return JSON.parse(text.slice(0, opening + 1) + text.slice(at));
    }
  }
  throw new SyntaxError(`expected the end of ${name}, got the end of the text`);
}

/** The position of the bracket that opens the object's own array `name`. */
function arrayStart(text: string, name: string): number {
  const member = new RegExp(`^"${name}"\\s*:\\s*\\[`);
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === '"') {
      const found = depth === 1 && member.exec(text.slice(at, at + name.length + 32));
      if (found) return at + found[0].length - 1;
      at = stringEnd(text, at);
    }
  }
  throw new SyntaxError(`expected an array ${name}, got none`);
}

/** The position of the quote that ends the string starting at `start`. */
function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  throw new SyntaxError('expected the end of a string, got the end of the text');
}
