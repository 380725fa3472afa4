import { createHash } from 'node:crypto';
import { isShallow, jsonLevels } from '../contract/text.ts';
import { Failure } from '../failure.ts';
import { readRegularFile } from '../regular-file.ts';
import type { Explorer } from './explorer-files.ts';
import { type Line, linesOfGeoJson } from './geojson-lines.ts';
import { simplified } from './simplified-lines.ts';

const mostBytes = 5_000_000;
/** As many points as a map draws at once without delay, in about 25 kB of compressed text. */
const mostPoints = 5_000;

/**
 * Adds the outline in a GeoJSON file to the page. Its coordinates have four decimals, which is about 10 metres, and at
 * most 5,000 points. The same file gives the same bytes. Throws a Failure for a file that is no GeoJSON of lines.
 */
export function withOutline(explorer: Explorer, file: string) {
  const lines = simplified(linesOfGeoJson(parse(file), file), mostPoints);
  if (lines.length === 0)
    throw new Failure('outline', `${file}: expected an outline, got only shapes that are smaller than a map can show`);
  const text = `${JSON.stringify({ lines: lines.map(roundedLine) })}\n`;
  const outline = `${createHash('sha256').update(text).digest('hex').slice(0, 16)}.json`;
  return { ...explorer, outline, files: [...explorer.files, { name: outline, text }] };
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
