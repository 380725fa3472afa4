import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Route } from '../../generator/contract/formats/site.ts';
import { objectsOfTable, RouteTable } from '../../generator/site/route-table.ts';
import { Storage } from '../../generator/site/storage.ts';
import { integer, pick, type Random, seededRandom } from '../support/random.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

let root: string;
beforeAll(() => {
  root = temporaryFolder();
});
afterAll(() => removeFolder(root));

const hex = (random: Random, digits: number) =>
  Array.from({ length: digits }, () => integer(random, 0, 15).toString(16)).join('');

function randomRoute(random: Random, path: string): Route {
  const etag = `"${hex(random, 32)}"`;
  const variant = { encoding: 'br', sha256: hex(random, 64), size: 9, etag } as const;
  return {
    path,
    sha256: hex(random, 64),
    size: integer(random, 1, 9999),
    etag,
    // As hostile to a reader of text as JSON can be.
    media_type: pick(random, ['application/json', 'a/b; c=",{\\"path\\":\\"x"', ']}\n']),
    encoding: null,
    cache: 'revalidate',
    last_modified: '2025-01-01T00:00:00Z',
    ...(random() < 0.3 ? { variants: [variant] } : {}),
    ...(random() < 0.1 ? { last_sequence: integer(random, 1, 9) } : {}),
  };
}

const sorted = (routes: Iterable<Route>) => [...routes].sort((a, b) => (a.path < b.path ? -1 : 1));

test('a table that is changed step by step is the table written at once, and reads as what was put in', () => {
  const random = seededRandom(13);
  const storage = new Storage(join(root, 'site'));
  const routes = new Map<string, Route>();
  let table = RouteTable.empty(storage);
  let kept = 0;
  // The table grows beyond each of the sizes that split it further, and shrinks again.
  const steps = [200, 20, 500, 3, 0, 1500, 5, -1600, -400, 2];
  for (const [step, size] of steps.entries()) {
    const before = new Map(routes);
    const removed = new Set([...routes.keys()].filter(() => random() < (size < 0 ? -size / routes.size : 0.002)));
    for (const path of removed) routes.delete(path);
    const changed = [...routes.keys()].filter(() => random() < 0.002);
    const added = Array.from({ length: Math.max(0, size) }, (_, index) => `/v1/documents/${step}-${index}`);
    const made = [...changed, ...added].map((path) => randomRoute(random, path));
    for (const route of made) routes.set(route.path, route);
    // Routes that are put in again as they are change nothing.
    const same = [...before.values()].filter((route) => routes.get(route.path) === route && random() < 0.1);

    const last = RouteTable.read(storage, RouteTable.empty(storage).write(before.values(), new Set()).reference);
    const { table: next, reference } = table.write([...made, ...same], removed);
    expect(reference).toEqual(RouteTable.empty(storage).write(routes.values(), new Set()).reference);
    const read = RouteTable.read(storage, reference);
    for (const one of [next, read]) {
      expect(one.size).toBe(routes.size);
      expect(sorted(one.values())).toEqual(sorted(routes.values()));
    }
    for (const path of [...routes.keys(), ...removed]) expect(read.get(path)).toEqual(routes.get(path));
    const shared = RouteTable.shared(storage, structuredClone(read.share()));
    for (const path of [...routes.keys(), ...removed, '/v1/absent', '/v1', '/v1/documents/~']) {
      expect(shared.get(path)).toEqual(routes.get(path));
    }
    const carried = [...read.paths()].filter(([, isCarried]) => isCarried).map(([path]) => path);
    expect(carried.sort()).toEqual(
      sorted(routes.values())
        .filter(({ last_sequence }) => last_sequence !== undefined)
        .map(({ path }) => path),
    );
    const changes = last.changesTo(read);
    expect(sorted(changes.set.map(({ route }) => route))).toEqual(sorted(made));
    for (const { route, old } of changes.set) expect(old).toEqual(before.get(route.path));
    expect(changes.removed.map(({ path }) => path).sort()).toEqual([...removed].sort());
    const answers = [...routes.values()].flatMap(({ sha256, variants = [] }) => [
      sha256,
      ...variants.map((variant) => variant.sha256),
    ]);
    expect(new Set(read.objects())).toEqual(new Set([...objectsOfTable(storage, reference), ...answers]));
    const shards = new Set(table.root.shards.map(({ sha256 }) => sha256));
    kept += next.root.shards.filter(({ sha256 }) => shards.has(sha256)).length;
    table = next;
  }
  expect(kept).toBeGreaterThan(4);
});

test('two documents at one address are refused', () => {
  const random = seededRandom(1);
  const storage = new Storage(join(root, 'twice'));
  const routes = [1, 2].map(() => randomRoute(random, '/v1/brands'));
  expect(() => RouteTable.empty(storage).write(routes, new Set())).toThrow(
    'two documents claim the address /v1/brands',
  );
});
