import { integer, pick, type Random } from '../../test/support/random.ts';
import type { Subjects } from '../load/questions.ts';

/** A question as its path and the values of its parameters. */
export type Question = { readonly path: string; readonly values: Readonly<Record<string, string>> };

/** Draws a new value for a parameter, given the previous one; null leaves the parameter out. */
type Draw = (random: Random, before: string | undefined) => string | null;

/** A kind of question, with everything that the contract lets a client choose. */
export type QuestionKind = {
  readonly name: string;
  readonly paths: readonly string[];
  readonly parameters: Readonly<Record<string, Draw>>;
};

const types = ['price_changed', 'status_changed', 'aggregate_inventory_changed', 'store_inventory_changed'];
const strategies = [
  'best_single_store',
  'closest_store_with_any',
  'closest_complete_store',
  'fewest_stores_complete',
  'best_partial_plan',
];
const kinds = ['product', 'product_family', 'brand', 'store'];
const longestQuery = 200;

/** The kinds of computed answers of a site. `productIds`: for lists of single products. */
export function questionKinds(subjects: Subjects, productIds: readonly string[]): QuestionKind[] {
  const { skus, stores, words, times } = subjects;
  const limit: Draw = (random) => String(pick(random, [1, 20, 100]));
  const oneOf =
    (values: readonly string[]): Draw =>
    (random) =>
      pick(random, values);
  const place = (name: 'latitude' | 'longitude'): Draw => {
    return (random) => (pick(random, stores)[name] + random() - 0.5).toFixed(6);
  };
  const changes = {
    types: optional(someOf(types, types.length)),
    store_id: optional(oneOf(stores.map(({ id }) => id))),
    since: optional(oneOf(times)),
    until: optional(oneOf(times)),
    limit: optional(limit),
  };
  return [
    {
      name: 'a comparison',
      paths: ['/v1/availability/comparison'],
      parameters: {
        skus: someOf(skus, 25),
        lat: place('latitude'),
        lng: place('longitude'),
        radius_m: (random) => String(pick(random, [integer(random, 1, 500_000), 500_000])),
        strategies: optional(someOf(strategies, strategies.length)),
        purchase_eligibility: optional(oneOf(['eligible', 'any'])),
        inventory_age: optional(oneOf(['within_policy', 'any_age'])),
        max_stops: optional(oneOf(['1', '2', '3'])),
      },
    },
    {
      name: 'a search',
      paths: ['/v1/search'],
      parameters: {
        q: words.length > 0 ? phrase(words) : oneOf(['a']),
        kinds: optional(someOf(kinds, 4)),
        limit: optional(limit),
      },
    },
    { name: 'a selection of all changes', paths: ['/v1/changes'], parameters: changes },
    {
      name: "a selection of a product's changes",
      paths: productIds.map((id) => `/v1/products/${id}/changes`),
      parameters: changes,
    },
    {
      name: 'a selection of brands',
      paths: ['/v1/brands'],
      parameters: {
        q: optional((random) => pick(random, words).slice(0, integer(random, 1, 3))),
        sort: optional(oneOf(['name', '-name'])),
        limit: optional(limit),
      },
    },
  ];
}

/** A question drawn from all questions of its kind. */
export function anyQuestion(random: Random, kind: QuestionKind): Question {
  const drawn = Object.entries(kind.parameters).map(([name, draw]) => [name, draw(random, undefined)] as const);
  return { path: pick(random, kind.paths), values: present(drawn) };
}

/** The question with one part of it drawn again. */
export function changedQuestion(random: Random, kind: QuestionKind, { path, values }: Question): Question {
  const names = Object.keys(kind.parameters);
  const changed = integer(random, kind.paths.length > 1 ? -1 : 0, names.length - 1);
  if (changed < 0) return { path: pick(random, kind.paths), values };
  const drawn = names.map((name, place) => {
    const before = values[name];
    return [name, place === changed ? (kind.parameters[name]?.(random, before) ?? null) : (before ?? null)] as const;
  });
  return { path, values: present(drawn) };
}

export function targetOf({ path, values }: Question): string {
  const pairs = Object.entries(values).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

function present(values: readonly (readonly [string, string | null])[]): Record<string, string> {
  return Object.fromEntries(values.flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}

function optional(draw: Draw): Draw {
  return (random, before) => (random() < 0.3 ? null : draw(random, before));
}

/** A list of different values, at most `most`: a new list, or the previous one with one value replaced. */
function someOf(values: readonly string[], most: number): Draw {
  return (random, before) => {
    const kept = before === undefined ? [] : before.split(',');
    const length = random() < 0.5 ? most : integer(random, 1, most);
    if (kept.length > 0) kept.splice(integer(random, 0, kept.length - 1), 1);
    const list = new Set(random() < 0.8 ? kept : []);
    for (let tries = 0; list.size < length && tries < 4 * most; tries += 1) list.add(pick(random, values));
    return [...list].slice(0, length).join();
  };
}

/** Words, beginnings of words and single letters: few of them, or as many as fit. */
function phrase(words: readonly string[]): Draw {
  const word = (random: Random) => pick(random, words).slice(0, pick(random, [1, 2, 3, 20]));
  return (random, before) => {
    const kept = before !== undefined && random() < 0.5 ? before.split(' ').slice(0, -1) : [];
    const count = random() < 0.3 ? 40 : integer(random, 1, 4);
    const added = Array.from({ length: count }, () => word(random));
    return [...kept, ...added].join(' ').slice(0, longestQuery).trim() || 'a';
  };
}
