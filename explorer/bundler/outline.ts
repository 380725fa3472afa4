import { createHash } from 'node:crypto';
import { isShallow, jsonLevels } from '../../contract/text.ts';
import { Failure } from '../../generator/files/failure.ts';
import { areaLines } from './atlas.ts';
import type { ExplorerBundle, ExplorerFile } from './explorer-files.ts';
import { type Line, readGeoJsonLines } from './geojson-lines.ts';
import { readOutlineFile } from './outline-file.ts';
import { extent, simplified } from './simplified-lines.ts';

/** A map draws this many points without delay; compressed, they are about 25 kB. */
const mostPoints = 5_000;
/** The limit for borders that nobody asked for: at most 8 kB compressed. */
const mostAreaPoints = 1_000;
/**
 * The fraction of an area's extent that is invisible on a map of the whole area (less than half a pixel), and its
 * maximum in degrees, about 2 km.
 */
const unseenPart = 1 / 4_000;
const mostUnseen = 0.02;

/**
 * Adds the outline in a GeoJSON file to the explorer. Its coordinates have four decimals, about 10 metres, and at most
 * 5,000 points. The same file always gives the same bytes. Throws a Failure for a file without GeoJSON lines.
 */
export function withOutline(explorer: ExplorerBundle, file: string): ExplorerBundle {
  const lines = simplified(readGeoJsonLines(parse(file), file), mostPoints);
  if (lines.length === 0)
    throw new Failure('outline', `${file}: expected an outline, got only shapes that are smaller than a map can show`);
  return withLines(explorer, lines);
}

/** Adds the borders of areas to the explorer, with at most 1,000 points. An unknown area adds nothing. */
export function withAreas(explorer: ExplorerBundle, areas: readonly string[]): ExplorerBundle {
  const lines = areas.flatMap((area) => areaLines(area) ?? []);
  const unseen = Math.min(mostUnseen, Math.max(0, ...lines.map(extent)) * unseenPart);
  const shown = simplified(lines, mostAreaPoints, unseen);
  return shown.length === 0 ? explorer : withLines(explorer, shown);
}

/** Adds the borders of an area that the operator names. Throws a Failure for an unknown area. */
export function withArea(explorer: ExplorerBundle, area: string): ExplorerBundle {
  const named = withAreas(explorer, [area]);
  if (named === explorer)
    throw new Failure(
      'outline',
      `expected a country or a US state with known borders, such as NO or US-UT, got ${area}`,
    );
  return named;
}

function withLines(explorer: ExplorerBundle, lines: readonly Line[]): ExplorerBundle {
  const text = `${JSON.stringify({ lines: lines.map(roundedLine) })}\n`;
  return withOutlineFile(explorer, {
    name: `${createHash('sha256').update(text).digest('hex').slice(0, 16)}.json`,
    text,
  });
}

/** The explorer with an outline file that a build has already named. */
export function withOutlineFile(explorer: ExplorerBundle, file: ExplorerFile): ExplorerBundle {
  return { ...explorer, outline: file.name, files: [...explorer.files, file] };
}

function parse(file: string): unknown {
  const bytes = readOutlineFile(file);
  if (!isShallow(bytes))
    throw new Failure('outline', `${file}: expected GeoJSON of at most ${jsonLevels} levels, got more`);
  try {
    return JSON.parse(bytes.toString().replace(/^\uFEFF/, ''));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Failure(
      'outline',
      `${file}: expected GeoJSON, got text that is not JSON: ${error.message.split('\n')[0]}`,
    );
  }
}

function roundedLine(line: Line): Line {
  return line.map(([longitude, latitude]) => [rounded(longitude), rounded(latitude)]);
}

function rounded(degrees: number): number {
  return Math.round(degrees * 10_000) / 10_000 + 0;
}
