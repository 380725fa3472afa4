import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { objectPath } from '../../generator/contract/paths.ts';
import { linesOfGeoJson, type Position } from '../../generator/explorer/geojson-lines.ts';
import { simplified } from '../../generator/explorer/simplified-lines.ts';
import { verifySite } from '../../generator/verify/verify.ts';
import { publishFixtures, temporaryFolder } from '../build/fixture-series.ts';
import { readSite } from '../build/site-tree.ts';
import { RunningServer } from '../serve/running-server.ts';
import { describeInBrowser, openPage } from '../support/browser.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { seededRandom } from '../support/random.ts';
import { EditedSite } from '../verify/edited-site.ts';

const ring = [
  [-114, 37],
  [-109, 37],
  [-109, 41.123456],
  [-114, 42],
  [-114, 37],
];
const square: Position[] = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
  [0, 0],
];

describe('lines of GeoJSON', () => {
  test('of every type with lines, in their order', () => {
    const line = [
      [1, 2, 300],
      [3, 4],
    ];
    const lines = linesOfGeoJson(
      {
        type: 'FeatureCollection',
        features: [
          { type: 'Feature', properties: null, geometry: { type: 'Polygon', coordinates: [ring, ring] } },
          { type: 'Feature', properties: null, geometry: null },
          {
            type: 'Feature',
            geometry: {
              type: 'GeometryCollection',
              geometries: [
                { type: 'MultiPolygon', coordinates: [[ring], [ring]] },
                { type: 'LineString', coordinates: line },
                { type: 'MultiLineString', coordinates: [line, line] },
              ],
            },
          },
        ],
      },
      'x.json',
    );
    const short = [
      [1, 2],
      [3, 4],
    ];
    expect(lines).toEqual([ring, ring, ring, ring, short, short, short]);
  });

  test.each<[unknown, string]>([
    [null, 'expected a GeoJSON object at the top, got null'],
    [[1], 'expected a GeoJSON object at the top, got [1]'],
    [{ type: 'Topology' }, 'FeatureCollection or GeometryCollection at type, got Topology'],
    [{ type: 'Point', coordinates: [1, 2] }, 'GeometryCollection at type, got Point'],
    [{ type: 'FeatureCollection' }, 'expected a list at features, got nothing'],
    [{ type: 'FeatureCollection', features: [] }, 'expected at least one ring or line at the top, got none'],
    [{ type: 'Feature', geometry: 7 }, 'expected a GeoJSON object at geometry, got 7'],
    [{ type: 'LineString', coordinates: [[1, 2]] }, 'expected at least 2 positions at coordinates, got 1'],
    [
      {
        type: 'LineString',
        coordinates: [
          [1, 2],
          [181, 2],
        ],
      },
      'expected a longitude from -180 to 180 at coordinates[1], got 181',
    ],
    [
      {
        type: 'LineString',
        coordinates: [
          [1, 2],
          [2, '3'],
        ],
      },
      'expected a latitude from -90 to 90 at coordinates[1], got 3',
    ],
    [
      { type: 'LineString', coordinates: [[1, 2], 5] },
      'expected a position of longitude and latitude at coordinates[1], got 5',
    ],
    [
      {
        type: 'Feature',
        geometry: {
          type: 'Polygon',
          coordinates: [
            [
              [0, 0],
              [0, 1],
              [1, 1],
              [1, 0],
            ],
          ],
        },
      },
      'expected a ring that ends where it begins, at 0, 0 at geometry.coordinates[0], got its end at 1, 0',
    ],
    [nested(40), 'expected at most 16 collections in each other'],
  ])('%j is refused', (value, message) => {
    expect(() => linesOfGeoJson(value, 'x.json')).toThrow(`x.json: `);
    expect(() => linesOfGeoJson(value, 'x.json')).toThrow(message);
  });
});

function nested(depth: number): unknown {
  return depth === 0 ? { type: 'LineString' } : { type: 'GeometryCollection', geometries: [nested(depth - 1)] };
}

describe('simplified lines', () => {
  test('corners stay, points on a straight line and shapes that cannot be seen go', () => {
    const dense = square.slice(1).flatMap(([x, y], index) => {
      const [fromX, fromY] = square[index] as Position;
      return [0, 0.25, 0.5, 0.75].map((share): Position => [fromX + (x - fromX) * share, fromY + (y - fromY) * share]);
    });
    const island = square.map(([x, y]): Position => [x / 10_000, y / 10_000]);
    expect(
      simplified(
        [
          [...dense, [0, 0]],
          island,
          [
            [5, 5],
            [6, 6],
          ],
        ],
        100,
      ),
    ).toEqual([
      square,
      [
        [5, 5],
        [6, 6],
      ],
    ]);
  });

  test('a rough coast has at most as many points as it may, all of its own, and ends where it begins', () => {
    const random = seededRandom(3);
    let radius = 2;
    const coast = Array.from({ length: 20_000 }, (_, step): Position => {
      const angle = (step / 20_000) * 2 * Math.PI;
      radius += (random() - 0.5) * 0.01;
      return [radius * Math.cos(angle), 40 + radius * Math.sin(angle)];
    });
    const [line = []] = simplified([[...coast, coast[0] as Position]], 500);
    expect(line.length).toBeGreaterThan(150);
    expect(line.length).toBeLessThanOrEqual(500);
    expect(line.every((point) => coast.includes(point))).toBe(true);
    expect(line.at(-1)).toEqual(line[0]);
  });
});

describe('build --outline', () => {
  const folder = temporaryFolder();
  const database = join(folder.path, 'db.sqlite');
  const dist = join(folder.path, 'dist');
  const file = join(folder.path, 'state.json');
  beforeAll(() => publishFixtures(database, 0, 1));
  afterAll(folder.remove);
  const build = (...options: string[]) => runInProcess('build', '--db', database, '--out', dist, ...options);
  const page = () => readFileSync(join(dist, objectPath(readSite(dist).routes.get('/')?.sha256 ?? '')), 'utf8');

  test('the page names the outline, which has four decimals; without the option it names none', async () => {
    writeFileSync(file, `\uFEFF${JSON.stringify({ type: 'Polygon', coordinates: [ring] })}`);
    expect(await build('--outline', file)).toMatchObject({ code: 0 });
    const [, name] = /<meta name="shelfpress-outline" content="(explorer\/[0-9a-z]{8,16}\.json)">/.exec(page()) ?? [];
    const route = readSite(dist).routes.get(`/${name}`);
    expect(route).toMatchObject({ cache: 'immutable', media_type: 'application/json' });
    const { lines } = JSON.parse(readFileSync(join(dist, objectPath(route?.sha256 ?? '')), 'utf8'));
    expect(lines).toEqual([ring.map(([x, y]) => [x, y === 41.123456 ? 41.1235 : y])]);
    expect((await verifySite(dist)).faults).toEqual([]);
    const edited = new EditedSite(dist);
    edited.removeRoute(`/${name}`);
    expect(await edited.faults()).toEqual([`route_missing /${name}`]);
    expect(await build()).toMatchObject({ code: 0 });
    expect(page()).not.toContain('shelfpress-outline');
    expect([...readSite(dist).routes.keys()].filter((path) => /explorer.*json/.test(path))).toEqual([]);
  });

  test('wrong files and wrong usage are told in one line and change nothing', async () => {
    const before = readFileSync(join(dist, 'current.json'));
    const missing = join(folder.path, 'missing.json');
    const large = join(folder.path, 'large.json');
    const text = join(folder.path, 'text.json');
    writeFileSync(large, Buffer.alloc(5_000_001, ' '));
    writeFileSync(text, '<kml/>');
    for (const [wrong, message] of [
      [missing, `${missing}: expected a GeoJSON file, got ENOENT`],
      [large, 'expected a GeoJSON file of at most 5000000 bytes, got one of 5000001'],
      [folder.path, 'expected a GeoJSON file, got a folder'],
      [text, `${text}: expected GeoJSON, got text that is not JSON`],
    ] as const) {
      const { code, stderr } = await build('--outline', wrong);
      expect([code, stderr], wrong).toEqual([1, expect.stringContaining(message)]);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
    const both = await build('--outline', file, '--no-explorer');
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("'--outline <file>' cannot be used with")]);
    expect(readFileSync(join(dist, 'current.json'))).toEqual(before);
    rmSync(large);
    expect(readdirSync(folder.path)).not.toContain('large.json');
  });

  describeInBrowser('on the map of the stores', () => {
    test('it is drawn, and nothing else is requested', async () => {
      expect(await build('--outline', file)).toMatchObject({ code: 0 });
      await using server = await RunningServer.start(['--dist', dist]);
      await using shown = await openPage(`${server.origin}/#/stores`);
      const drawn = await shown.page.locator('.map .outline').getAttribute('d');
      expect(drawn?.match(/[ML]/g)).toEqual(['M', 'L', 'L', 'L', 'L']);
    });
  });
});
