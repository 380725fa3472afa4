import type { StoreSummary } from '../../contract/schemas/store.ts';
import { wordsOf } from '../../contract/text.ts';
import { distanceBetween, type GeoPoint, middlePoint } from '../map/projection.ts';
import { lettersApart } from '../parts/letters-apart.ts';
import { countNoun } from '../parts/text.ts';

/** A place near which a reader looks for stores. `name`: as a reader would type it, and as it is in the address. */
export type Place = GeoPoint & { readonly name: string };

/** A name to choose, and a note about it. */
export type PlaceName = { readonly name: string; readonly note: string };

type Kind = 'city' | 'code' | 'street';
type Entry = PlaceName & { readonly kind: Kind; readonly words: string; readonly points: readonly GeoPoint[] };

/** How many letters may be wrong in the name of a city. */
const mostWrong = 2;
const mostSuggestions = 3;

/** The places that stores are in: cities, ZIP codes and streets, from the stores' own addresses alone. */
export class Gazetteer {
  readonly #entries: readonly Entry[];

  constructor(stores: readonly StoreSummary[]) {
    const located = stores.filter(({ location }) => location !== null);
    const named = (
      kind: Kind,
      nameOf: (store: StoreSummary) => string | null,
      noteOf: (stores: readonly StoreSummary[]) => string,
    ) =>
      [...groupStores(located, nameOf)].map(
        ([name, group]): Entry => ({
          ...{ kind, name, note: noteOf(group), words: wordsOf(name).join(' ') },
          points: group.flatMap(({ location }) => location ?? []),
        }),
      );
    const cityOf = ([store]: readonly StoreSummary[]) => store?.address.city ?? '';
    this.#entries = [
      ...named(
        'city',
        ({ address }) => address.city,
        ({ length }) => countNoun(length, 'store'),
      ),
      ...named('code', ({ address }) => address.postal_code ?? null, cityOf),
      ...named(
        'street',
        ({ address }) => `${address.line1}, ${address.city}`,
        ([store]) => store?.name ?? '',
      ),
    ];
  }

  /** Every name, cities first. */
  get names(): readonly PlaceName[] {
    return this.#entries;
  }

  /** The city with the most stores; null if no store has a location. */
  get largestCity(): Place | null {
    const cities = this.#entries.filter(({ kind }) => kind === 'city');
    const [largest] = cities.toSorted((a, b) => b.points.length - a.points.length);
    return largest === undefined ? null : entryPlace(largest);
  }

  /**
   * The place that a text names: `40.76, -111.89`, a name, or the beginning of one. Null for empty text or no match.
   */
  find(text: string): Place | null {
    const point = pointIn(text);
    if (point !== null) return { ...point, name: text.trim() };
    const words = wordsIn(text);
    if (words === '') return null;
    const found =
      this.#entries.find((entry) => entry.words === words) ??
      this.#entries.find((entry) => entry.words.startsWith(`${words} `)) ??
      this.#entries.find((entry) => entry.words.startsWith(words));
    return found === undefined ? null : entryPlace(found);
  }

  /** What a text may have meant if it names no place: the nearest ZIP codes, or cities with similar letters. */
  suggestions(text: string): readonly PlaceName[] {
    const words = wordsIn(text);
    const isCode = /^\d+$/.test(words);
    const distances = this.#entries.flatMap((entry) => {
      if (entry.kind !== (isCode ? 'code' : 'city')) return [];
      const apart = isCode ? Math.abs(Number(entry.words) - Number(words)) : lettersApart(words, entry.words);
      return isCode || apart <= mostWrong ? [{ entry, apart }] : [];
    });
    return distances
      .sort((a, b) => a.apart - b.apart)
      .slice(0, mostSuggestions)
      .map(({ entry }) => entry);
  }
}

/** The distance from a place to a store in metres; null if either location is unknown. */
export function distanceTo(from: GeoPoint | null, { location }: Pick<StoreSummary, 'location'>): number | null {
  return from && location && distanceBetween(from, location);
}

/** A point as it is in the address of a view, to about 10 centimetres. */
export function pointText({ latitude, longitude }: GeoPoint): string {
  return [latitude, longitude].map((degrees) => String(Math.round(degrees * 1e6) / 1e6 + 0)).join(',');
}

/** The point given by a latitude and a longitude; null for any other text. */
export function pointIn(text: string): GeoPoint | null {
  const [, first, second] = /^\s*(-?\d{1,2}(?:\.\d*)?)\s*[, ]\s*(-?\d{1,3}(?:\.\d*)?)\s*$/.exec(text) ?? [];
  if (first === undefined || second === undefined) return null;
  const [latitude, longitude] = [Number(first), Number(second)];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null;
}

/**
 * The words of a text. The last four digits of `84060-1234` are dropped: they name part of a street, and no store is
 * found by them.
 */
function wordsIn(text: string): string {
  return wordsOf(text.replace(/^\s*(\d{5})-\d{4}\s*$/, '$1')).join(' ');
}

function entryPlace({ name, points }: Entry): Place {
  const [first] = points;
  // The middle of a single point is not exactly that point.
  return { ...(first && points.length === 1 ? first : middlePoint(points)), name };
}

function groupStores(stores: readonly StoreSummary[], nameOf: (store: StoreSummary) => string | null) {
  const groups = new Map<string, StoreSummary[]>();
  for (const store of stores) {
    const name = nameOf(store);
    if (name) groups.set(name, [...(groups.get(name) ?? []), store]);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}
