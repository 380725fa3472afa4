import { hash } from 'node:crypto';
import { isShallow, jsonLevels } from '../../contract/text.ts';
import { Failure } from '../files/failure.ts';
import { readRegularFile } from '../files/regular-file.ts';
import { areaLines } from './atlas.ts';
import type { ExplorerBundle, ExplorerFile } from './explorer-files.ts';
import { type Line, readGeoJsonLines } from './geojson-lines.ts';
import { isOutlineFile } from './outline-choice.ts';
import { extent, simplified } from './simplified-lines.ts';

const mostBytes = 5_000_000;
/** A map draws this many points without delay; compressed, they are about 25 kB. */
const mostPoints = 5_000;
/** The limit for borders that nobody asked for: at most 8 kB compressed. */
const mostAreaPoints = 1_000;
/** This part of an area's extent is invisible on a map of it: half a pixel. The maximum is in degrees, about 2 km. */
const unseenPart = 1 / 4_000;
const mostUnseen = 0.02;

/**
 * An area, or the lines of a GeoJSON file with coordinates of four decimals, about 10 metres, and at most 5,000 points.
 * The same file always gives the same bytes. Throws a Failure for an unknown area, and for a file from which no
 * GeoJSON outline can be read.
 */
export function chosenOutline(choice: string): ExplorerFile {
  if (!isOutlineFile(choice)) {
    const outline = areaOutline([choice]);
    if (outline) return outline;
    throw new Failure(
      'outline',
      `expected a country or a US state with known borders, such as NO or US-UT, got ${choice}`,
    );
  }
  const lines = simplified(readGeoJsonLines(parse(choice), choice), mostPoints);
  if (lines.length > 0) return outlineFile(lines);
  throw new Failure('outline', `${choice}: expected an outline, got only shapes that are smaller than a map can show`);
}

/** The borders of these areas, with at most 1,000 points; null if no area is known. */
export function areaOutline(areas: readonly string[]): ExplorerFile | null {
  const lines = areas.flatMap((area) => areaLines(area) ?? []);
  const unseen = Math.min(mostUnseen, Math.max(0, ...lines.map(extent)) * unseenPart);
  const shown = simplified(lines, mostAreaPoints, unseen);
  return shown.length === 0 ? null : outlineFile(shown);
}

function outlineFile(lines: readonly Line[]): ExplorerFile {
  const text = `${JSON.stringify({ lines: lines.map(roundedLine) })}\n`;
  return { name: `${hash('sha256', text).slice(0, 16)}.json`, text };
}

export function withOutline(explorer: ExplorerBundle, outline: ExplorerFile | null): ExplorerBundle {
  return outline === null ? explorer : { ...explorer, outline: outline.name, files: [...explorer.files, outline] };
}

function parse(file: string): unknown {
  const bytes = readRegularFile(file, 'a GeoJSON file', mostBytes);
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
