import { writeFileSync } from 'node:fs';
import { integer, pick, type Random, seededRandom } from '../../test/support/random.ts';

/** Number of paths that a script for wrk requests in turn. */
const questionCount = 2000;

/** Values for the questions: the site's own products, stores, words and times. */
export type Subjects = {
  readonly skus: readonly string[];
  readonly stores: readonly { readonly id: string; readonly latitude: number; readonly longitude: number }[];
  readonly words: readonly string[];
  readonly times: readonly string[];
};

const types = ['price_changed', 'status_changed', 'aggregate_inventory_changed', 'store_inventory_changed'];

/** Comparisons of 1 to 25 products around a store, the radius up to the whole state. */
export function comparison(random: Random, { skus, stores }: Subjects): string {
  const asked = new Set(Array.from({ length: integer(random, 1, 25) }, () => pick(random, skus)));
  const { latitude, longitude } = pick(random, stores);
  const radius = pick(random, [25_000, 100_000, 500_000]);
  const query = `skus=${[...asked].join()}&lat=${latitude.toFixed(4)}&lng=${longitude.toFixed(4)}&radius_m=${radius}`;
  return `/v1/availability/comparison?${query}&inventory_age=any_age&purchase_eligibility=${pick(random, ['eligible', 'any'])}`;
}

/** Comparisons of 25 products, which is the maximum, in the whole state. */
export function slowComparison(random: Random, { skus, stores }: Subjects): string {
  const asked = new Set(Array.from({ length: 25 }, () => pick(random, skus)));
  const { latitude, longitude } = pick(random, stores);
  return `/v1/availability/comparison?skus=${[...asked].join()}&lat=${latitude}&lng=${longitude}&radius_m=500000`;
}

/** Selections by store and a span of time: the ones that read the most pages. */
export function slowSelection(random: Random, { stores, times }: Subjects): string {
  const [since, until] = [pick(random, times), pick(random, times)].sort();
  return `/v1/changes?store_id=${pick(random, stores).id}&since=${since}&until=${until}&limit=100`;
}

/** Selections of change events by type, store, time and product. */
export function selection(random: Random, { skus, stores, times }: Subjects): string {
  const limit = `limit=${pick(random, [10, 20, 100])}`;
  const filters = [
    () => `types=${pick(random, types)}`,
    () => `store_id=${pick(random, stores).id}`,
    () => `since=${pick(random, times)}`,
    () => `store_id=${pick(random, stores).id}&types=${pick(random, types)}&until=${pick(random, times)}`,
    () => `sku=${pick(random, skus)}`,
  ];
  return `/v1/changes?${pick(random, filters)()}&${limit}`;
}

export function searching(random: Random, { words }: Subjects): string {
  const [first, second] = [pick(random, words), pick(random, words)];
  return `/v1/search?q=${encodeURIComponent(pick(random, [first, first.slice(0, 3), `${first} ${second.slice(0, 2)}`]))}`;
}

/** Writes a script with which wrk asks such questions. They are the same each time, because the seed is fixed. */
export function writeQuestions(
  file: string,
  subjects: Subjects,
  question: (random: Random, subjects: Subjects) => string,
): void {
  const random = seededRandom(20_251_120);
  const paths = Array.from({ length: questionCount }, () => question(random, subjects));
  const list = paths.map((path) => `  ${JSON.stringify(path)},`).join('\n');
  writeFileSync(
    file,
    `local paths = {\n${list}\n}\nlocal n = 0\nfunction request()\n  n = n % #paths + 1\n  return wrk.format("GET", paths[n])\nend\n`,
  );
}
