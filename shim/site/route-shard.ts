import { type Route, route, shard } from '../../generator/contract/formats/site.ts';
import { parseJson, type Reading } from './verified-objects.ts';

const beginning = '{"routes":[';
const end = ']}';
/** Every route begins so, and nothing else in a shard: quotes inside of a text are escaped. */
const routeStart = '{"path":';

/**
 * A part of the route table as its bytes: a publication of 90,000 routes has 30 MB of them, and as objects they would take
 * twice as much, in a heap that has to be searched for garbage. A route is parsed and checked when somebody asks for it.
 */
export class RouteShard {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Null when the shard has no such path. Throws when its route is not of the shape of one. */
  find(path: string): Route | null {
    const text = new TextDecoder().decode(this.#bytes);
    const start = text.indexOf(`${routeStart}${JSON.stringify(path)},`);
    if (start < 0) return null;
    const next = text.indexOf(`,${routeStart}`, start);
    return route.parse(JSON.parse(text.slice(start, next < 0 ? text.length - end.length : next)));
  }
}

/** Shards are written in one form; one that is written in another is put into it. */
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
