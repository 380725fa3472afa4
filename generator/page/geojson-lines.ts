import { isJsonObject, shortened } from '../../contract/text.ts';
import { Failure } from '../files/failure.ts';

/** A position in degrees. */
export type Position = readonly [longitude: number, latitude: number];
export type Line = readonly Position[];

const expectedTypes =
  'Polygon, MultiPolygon, LineString, MultiLineString, Feature, FeatureCollection or GeometryCollection';
/** The deepest nesting of collections that is read. */
const deepest = 16;

/**
 * Every ring and line of a GeoJSON value (RFC 7946), in order. A ring ends where it begins. Throws a Failure that says
 * where `file` differs from what is expected.
 */
export function readGeoJsonLines(value: unknown, file: string): Line[] {
  const lines: Line[] = [];
  const fail = (path: string, expected: string, got: unknown): never => {
    throw new Failure('outline', `${file}: expected ${expected} at ${path || 'the top'}, got ${valueText(got)}`);
  };

  const listAt = (list: unknown, path: string, expected: string): readonly unknown[] =>
    Array.isArray(list) ? list : fail(path, expected, list);

  const readAll = (
    list: unknown,
    path: string,
    expected: string,
    read: (item: unknown, path: string) => void,
  ): void => {
    for (const [index, item] of listAt(list, path, expected).entries()) read(item, `${path}[${index}]`);
  };

  const readObject = (object: unknown, path: string, depth: number): void => {
    if (depth > deepest) fail(path, `at most ${deepest} collections in each other`, object);
    const members = isJsonObject(object) ? object : fail(path, 'a GeoJSON object', object);
    const { type, features, geometries, geometry, coordinates } = members;
    const at = (name: string) => (path === '' ? name : `${path}.${name}`);
    const coordinatesPath = at('coordinates');
    const readNext = (item: unknown, path: string) => readObject(item, path, depth + 1);
    if (type === 'FeatureCollection') readAll(features, at('features'), 'a list', readNext);
    else if (type === 'GeometryCollection') readAll(geometries, at('geometries'), 'a list', readNext);
    else if (type === 'Feature') {
      // A feature may have no geometry (RFC 7946, 3.2).
      if (geometry !== null) readNext(geometry, at('geometry'));
    } else if (type === 'LineString') readLine(coordinates, coordinatesPath, false);
    else if (type === 'MultiLineString') readLines(coordinates, coordinatesPath, false);
    else if (type === 'Polygon') readLines(coordinates, coordinatesPath, true);
    else if (type === 'MultiPolygon') {
      readAll(coordinates, coordinatesPath, 'a list of polygons', (polygon, path) => readLines(polygon, path, true));
    } else fail(at('type'), expectedTypes, type);
  };

  const readLines = (list: unknown, path: string, areRings: boolean): void =>
    readAll(list, path, 'a list of lines', (line, path) => readLine(line, path, areRings));

  const readLine = (list: unknown, path: string, isRing: boolean): void => {
    const line = listAt(list, path, 'a list of positions').map((item, index) => positionAt(item, `${path}[${index}]`));
    const least = isRing ? 4 : 2;
    if (line.length < least) fail(path, `at least ${least} positions`, `${line.length}`);
    const [first, last] = [line[0] as Position, line.at(-1) as Position];
    if (isRing && (first[0] !== last[0] || first[1] !== last[1])) {
      fail(path, `a ring that ends where it begins, at ${first.join(', ')}`, `its end at ${last.join(', ')}`);
    }
    lines.push(line);
  };

  const positionAt = (position: unknown, path: string): Position => {
    const [longitude, latitude] = listAt(position, path, 'a position of longitude and latitude') as readonly unknown[];
    if (!isWithin(longitude, 180)) return fail(path, 'a longitude from -180 to 180', longitude);
    if (!isWithin(latitude, 90)) return fail(path, 'a latitude from -90 to 90', latitude);
    return [longitude, latitude];
  };

  readObject(value, '', 0);
  if (lines.length === 0) fail('', 'at least one ring or line', 'none');
  return lines;
}

function isWithin(value: unknown, bound: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= bound;
}

function valueText(got: unknown): string {
  if (got === undefined) return 'nothing';
  const text = typeof got === 'string' ? got : JSON.stringify(got);
  return shortened(text, 80);
}
