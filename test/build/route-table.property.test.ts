import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Route } from '../../generator/contract/formats/site.ts';
import {
  changesBetween,
  namedObjects,
  objectsOfTable,
  readTable,
  writeTable,
} from '../../generator/site/route-table.ts';
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

test('a table reads as what was written, in any order, and names what changed', () => {
  const random = seededRandom(13);
  const storage = new Storage(join(root, 'site'));
  let before = new Map<string, Route>();
  // The table grows beyond each of the sizes that split it further, and shrinks again.
  for (const [step, size] of [200, 20, 500, 0, 1500, 5, 300].entries()) {
    const paths = [...before.keys()].filter(() => random() < (size === 300 ? 0.1 : 0.99));
    const added = Array.from({ length: size }, (_, index) => `/v1/documents/${step}-${index}`);
    const keep = (path: string) =>
      random() < 0.99 ? (before.get(path) ?? randomRoute(random, path)) : randomRoute(random, path);
    const routes = new Map([...paths, ...added].map((path) => [path, keep(path)]));
    const { table, reference } = writeTable(storage, routes);
    expect(writeTable(storage, new Map([...routes].reverse())).reference).toEqual(reference);
    const read = readTable(storage, reference);
    expect(read.objects).toEqual(objectsOfTable(storage, reference));
    expect(read.objects).toEqual(table.objects);
    expect(Object.fromEntries(read.routes)).toEqual(Object.fromEntries(routes));
    const named = [...routes.values()].flatMap(({ sha256, variants = [] }) => [
      sha256,
      ...variants.map((one) => one.sha256),
    ]);
    expect(new Set(namedObjects(read))).toEqual(new Set([...read.objects, ...named]));

    const { set, removed } = changesBetween(before, read.routes);
    expect(set.map(({ route }) => route.path).sort()).toEqual(
      [...routes.values()]
        .filter((route) => before.get(route.path) !== route)
        .map(({ path }) => path)
        .sort(),
    );
    for (const { route, old } of set) expect([route, old]).toEqual([routes.get(route.path), before.get(route.path)]);
    expect(removed.map(({ path }) => path)).toEqual([...before.keys()].filter((path) => !routes.has(path)));
    before = routes;
  }
});
