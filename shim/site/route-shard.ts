import { type Route, route, shard } from '../../generator/contract/site.ts';
import { parseJson, type Reading } from './verified-objects.ts';

const beginning = '{"routes":[';
const end = ']}';
/** Every route begins so, and nothing else in a shard: quotes inside of a text are escaped. */
const routeStart = '{"path":';

/**
 * A part of the route table as its text: a publication of 90,000 routes has 30 MB of them, and as objects they would take
 * three times as much. A route is parsed and checked when somebody asks for it.
 */
export class RouteShard {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Null when the shard has no such path. Throws when its route is not of the shape of one. */
  find(path: string): Route | null {
    const start = this.#text.indexOf(`${routeStart}${JSON.stringify(path)},`);
    if (start < 0) return null;
    const next = this.#text.indexOf(`,${routeStart}`, start);
    const text = this.#text.slice(start, next < 0 ? this.#text.length - end.length : next);
    return route.parse(JSON.parse(text));
  }
}

/** Shards are written in one form; one that is written in another is put into it. */
export const routeShardReading: Reading<RouteShard> = {
  name: 'shard',
  weight: 1,
  of(bytes) {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const isUsual = text.startsWith(beginning + routeStart) && text.endsWith(end);
    if (isUsual) return new RouteShard(text);
    const { routes } = parseJson(shard, bytes);
    const lines = routes.map(({ path, ...rest }) => JSON.stringify({ path, ...rest }));
    return new RouteShard(beginning + lines.join(',') + end);
  },
};
