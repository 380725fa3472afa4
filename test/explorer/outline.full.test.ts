import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { objectPath } from '../../contract/paths.ts';
import type { Line, Position } from '../../generator/page/geojson-lines.ts';
import { areaOutline, withOutline } from '../../generator/page/outline.ts';
import { simplified } from '../../generator/page/simplified-lines.ts';
import { RunningServer } from '../serve/running-server.ts';
import { openPage } from '../support/browser.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { needing } from '../support/installed-programs.ts';
import { seededRandom } from '../support/random.ts';
import { publishFixtures, temporaryFolder } from '../units/fixture-series.ts';
import { readSite } from '../units/site-tree.ts';

describe('build --outline', () => {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  const dist = at('dist');
  beforeAll(() => publishFixtures(at('db.sqlite'), 0, 1));
  afterAll(folder.remove);
  const build = (...options: string[]) => runInProcess('build', '--db', at('db.sqlite'), '--out', dist, ...options);
  const objectAt = (path: string) =>
    readFileSync(join(dist, objectPath(readSite(dist).routes.get(path)?.sha256 ?? '')), 'utf8');
  const named = () =>
    /<meta name="shelfpress-outline" content="(explorer\/[0-9a-z]{8,16}\.json)">/.exec(objectAt('/'))?.[1] ?? null;

  function outlineOf(geoJson: unknown): string {
    const file = at('outline.json');
    writeFileSync(file, typeof geoJson === 'string' ? geoJson : `\uFEFF${JSON.stringify(geoJson)}`);
    return file;
  }

  /** The corners of a field in degrees. */
  const field = (west: number): number[][] =>
    [
      [0, 37],
      [5, 37],
      [5, 41.123456],
      [0, 42],
      [0, 37],
    ].map(([x = 0, y = 0]) => [west + x, y]);
  const rounded = (ring: number[][]) => ring.map(([x, y]) => [x, y === 41.123456 ? 41.1235 : y]);

  test('adds lines of every type with four decimals; without the option, an invented state has none', async () => {
    const line = [
      [1, 2, 300],
      [3, 4],
    ];
    const geometries = [
      { type: 'MultiPolygon', coordinates: [[field(-104)], [field(-94)]] },
      { type: 'LineString', coordinates: line },
      { type: 'MultiLineString', coordinates: [line, line] },
    ];
    const features = [
      { type: 'Feature', properties: null, geometry: { type: 'Polygon', coordinates: [field(-114)] } },
      { type: 'Feature', properties: null, geometry: null },
      { type: 'Feature', geometry: { type: 'GeometryCollection', geometries } },
    ];
    expect(await build('--outline', outlineOf({ type: 'FeatureCollection', features }))).toMatchObject({ code: 0 });
    const route = readSite(dist).routes.get(`/${named()}`);
    expect(route).toMatchObject({ cache: 'immutable', media_type: 'application/json' });
    const short = line.map(([x, y]) => [x, y]);
    expect(JSON.parse(objectAt(`/${named()}`)).lines).toEqual([
      ...[-114, -104, -94].map((west) => rounded(field(west))),
      ...[short, short, short],
    ]);
    expect(await build()).toMatchObject({ code: 0 });
    expect(named()).toBeNull();
    const data = [...readSite(dist).routes.keys()].filter((path) => /explorer.*json/.test(path));
    expect(data.map(objectAt)).toEqual([expect.stringContaining('"start_url"')]);
  });

  /** West, south, east and north of all lines in the outline. */
  const extentOf = () => {
    const { lines } = JSON.parse(objectAt(`/${named()}`)) as { lines: Position[][] };
    const [x, y] = [lines.flat().map(([x]) => x), lines.flat().map(([, y]) => y)];
    return [Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y)].map(Math.round);
  };

  test('adds the borders of a country or US state by code, also from the settings, and none for `none`', async () => {
    expect(await build('--outline', 'US-UT')).toMatchObject({ code: 0 });
    expect(extentOf()).toEqual([-114, 37, -109, 42]);
    expect(await build('--outline', 'none')).toMatchObject({ code: 0 });
    expect(named()).toBeNull();
    const settings = at('shelfpress.json');
    writeFileSync(settings, JSON.stringify({ outline: 'IS' }));
    expect(await build('--settings', settings)).toMatchObject({ code: 0, stderr: '' });
    expect(extentOf()).toEqual([-25, 63, -14, 67]);
    const written = at('written.json');
    const init = (area: string) => runInProcess('init', '--outline', area, '--settings', written);
    expect((await init('borders.json')).stderr).toContain('no such file, named as "outline"');
    expect(await init('US-UT')).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(written, 'utf8'))).toMatchObject({ outline: 'US-UT' });
  });

  test('refuses unknown areas in one line', async () => {
    const { code, stderr } = await build('--outline', 'US-CX');
    expect([code, stderr]).toEqual([
      1,
      'shelfpress: expected a country or a US state with known borders, such as NO or US-UT, got US-CX [outline]\n',
    ]);
  });

  const nested = (depth: number): object =>
    depth === 0 ? { type: 'LineString' } : { type: 'GeometryCollection', geometries: [nested(depth - 1)] };

  const lineOf = (...coordinates: unknown[]) => ({ type: 'LineString', coordinates });
  const open = { type: 'Polygon', coordinates: [field(0).slice(0, 4)] };

  test.each<[text: unknown, message: string]>([
    ['<kml/>', 'expected GeoJSON, got text that is not JSON'],
    [' '.repeat(5_000_001), 'expected a GeoJSON file of at most 5000000 bytes, got one of 5000001'],
    [[1], 'expected a GeoJSON object at the top, got [1]'],
    [{ type: 'Point', coordinates: [1, 2] }, 'FeatureCollection or GeometryCollection at type, got Point'],
    [{ type: 'FeatureCollection' }, 'expected a list at features, got nothing'],
    [{ type: 'FeatureCollection', features: [] }, 'expected at least one ring or line at the top, got none'],
    [{ type: 'Feature', geometry: 7 }, 'expected a GeoJSON object at geometry, got 7'],
    [lineOf([1, 2]), 'expected at least 2 positions at coordinates, got 1'],
    [lineOf([1, 2], [181, 2]), 'expected a longitude from -180 to 180 at coordinates[1], got 181'],
    [lineOf([1, 2], [2, '3']), 'expected a latitude from -90 to 90 at coordinates[1], got 3'],
    [lineOf([1, 2], 5), 'expected a position of longitude and latitude at coordinates[1], got 5'],
    [open, 'expected a ring that ends where it begins, at 0, 37 at coordinates[0], got its end at 0, 42'],
    [nested(20), 'expected at most 16 collections in each other'],
  ])('%.60j is refused in one line, and changes nothing', async (text, message) => {
    const file = outlineOf(text);
    const before = readFileSync(at('dist/current.json'));
    const { code, stderr } = await build('--outline', file);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${file}: `)]);
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(readFileSync(at('dist/current.json'))).toEqual(before);
  });

  test('refuses a folder, and a site without the explorer', async () => {
    const ofFolder = await build('--outline', folder.path);
    expect(ofFolder.stderr).toContain('expected a GeoJSON file, got a folder');
    const withoutPage = await build('--outline', outlineOf('{}'), '--no-explorer');
    expect(withoutPage.stderr).toContain("'--outline <area>' cannot be used with");
  });

  test('is drawn on the map of stores', needing('chromium'), async () => {
    const polygon = outlineOf({ type: 'Polygon', coordinates: [field(-114)] });
    expect(await build('--outline', polygon)).toMatchObject({ code: 0 });
    await using server = await RunningServer.start([dist]);
    await using shown = await openPage(`${server.origin}/#/stores`);
    const drawn = await shown.page.locator('.map .outline').getAttribute('d');
    expect(drawn?.match(/[ML]/g)).toEqual(['M', 'L', 'L', 'L', 'L']);
  });
});

describe('the outline without the option', () => {
  const folder = temporaryFolder();
  afterAll(folder.remove);

  /** The names and contents of the outlines of a new site for an agency that has a recipe. */
  async function outlineOfSample(name: string): Promise<readonly [file: string, lines: readonly Line[]]> {
    const home = join(folder.path, name);
    const settings = join(home, 'shelfpress.json');
    mkdirSync(home);
    await runInProcess('init', '--recipe-for', name, '--settings', settings);
    cpSync(join('fixtures/imports', name), join(home, 'incoming', '2025-03-04'), { recursive: true });
    expect(await runInProcess('update', '--settings', settings)).toMatchObject({ code: 0 });
    const page = readFileSync(join(home, 'dist/site/index.html'), 'utf8');
    const [, file = ''] = /<meta name="shelfpress-outline" content="explorer\/([^"]+)">/.exec(page) ?? [];
    return [file, JSON.parse(readFileSync(join(home, 'dist/site/explorer', file), 'utf8')).lines];
  }

  test('is the state in the addresses of a US agency', async () => {
    const [, lines] = await outlineOfSample('iowa');
    const [line = []] = lines;
    for (const [longitude, latitude] of line) {
      expect(longitude).toBeGreaterThan(-97);
      expect(longitude).toBeLessThan(-90);
      expect(latitude).toBeGreaterThan(40);
      expect(latitude).toBeLessThan(44);
    }
    expect(lines).toHaveLength(1);
  });

  test('is the country of any other agency', async () => {
    const [, lines] = await outlineOfSample('vinbudin');
    for (const [longitude, latitude] of lines.flat()) {
      expect(longitude).toBeLessThan(-13);
      expect(latitude).toBeGreaterThan(63);
    }
    expect(lines.flat().length).toBeGreaterThan(300);
  });

  const page = { script: '', style: '', views: {}, files: [] };
  test.each([['US-UT'], ['US-AK'], ['US-DC'], ['NO'], ['CA'], ['FJ'], ['SG']])(
    'of %s has the same few kilobytes each time',
    (area) => {
      const { outline, files } = withOutline(page, areaOutline([area]));
      expect(files.map(({ name }) => name)).toEqual([outline]);
      expect(files[0]?.text.length).toBeLessThan(22_000);
      expect(JSON.parse(files[0]?.text ?? '').lines.flat().length).toBeGreaterThan(5);
      expect(withOutline(page, areaOutline([area]))).toEqual({ ...page, outline, files });
    },
  );

  test('has all of several states, and nothing for unknown areas', () => {
    const linesOf = (...areas: string[]) => JSON.parse(areaOutline(areas)?.text ?? '').lines;
    expect(linesOf('US-ID', 'US-UT')).toHaveLength(2);
    expect(linesOf('US-CX', 'US-UT')).toEqual(linesOf('US-UT'));
    expect(areaOutline(['US-CX', 'XX', 'US-'])).toBeNull();
    expect(areaOutline([])).toBeNull();
    expect(withOutline(page, null)).toBe(page);
  });
});

describe('simplified lines', () => {
  test('keep their corners, without points on straight lines and without invisible shapes', () => {
    const lineThrough = (text: string) => text.split(' ').map((point) => JSON.parse(`[${point}]`) as Position);
    const square = lineThrough('0,0 1,0 1,1 0,1 0,0');
    const dense = lineThrough('0,0 0.5,0 1,0 1,0.25 1,1 0.5,1 0,1 0,0.5 0,0');
    const island = square.map(([x, y]): Position => [x / 10_000, y / 10_000]);
    expect(simplified([dense, island], 100)).toEqual([square]);
  });

  test('of a rough coast have few enough points, all from the original, and end where they begin', () => {
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
