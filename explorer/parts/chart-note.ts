import { type Plot, type PlotLine, toInstant, valueText } from './plot.ts';
import { dayNumber } from './site-days.ts';
import { dateText } from './text.ts';

/** What a chart says about a moment. `index`: the position that it describes and marks; null for none. */
export type Note = { readonly head: string; readonly texts: readonly string[]; readonly index: number | null };

const mostCharacters = 24;

/** The note at a moment; null if there is nothing to say. `reach`: how many seconds away a bar may be. */
export function noteAt(plot: Plot, moment: number, reach: number): Note | null {
  if (plot.kind === 'bars') return barNote(plot, moment, reach);
  const [from, to] = plot.range ?? [moment, moment];
  if (dayNumber(moment) < dayNumber(from) || dayNumber(moment) > dayNumber(to)) return null;
  return plot.kind === 'steps' ? stepNote(plot, moment) : reportNote(plot, moment);
}

/** The nearest bar. For stacked bars, only the parts that exist. */
function barNote({ positions, lines, isStacked, positionText }: Plot, moment: number, reach: number): Note | null {
  const [index] = neighbours(positions, moment);
  const position = index === undefined ? undefined : positions[index];
  if (index === undefined || position === undefined || Math.abs(position - moment) > reach) return null;
  const texts = lines.flatMap((line) => {
    const value = line.values[index] ?? null;
    return value === null || (isStacked && value === 0) ? [] : [`${line.label}: ${line.text(value)}`];
  });
  return { head: positionText(position), texts: texts.length === 0 ? ['None'] : texts, index };
}

/** The day, and the values in force then. */
function stepNote({ positions, lines }: Plot, moment: number): Note {
  const index = positions.findLastIndex((position) => position <= moment);
  const texts = lines.map((line) => {
    const label = line.mark === undefined ? line.label : `${line.mark}, ${shortLabel(line.label)}`;
    const begin = line.begins ? line.begins[index] : positions[valueStart(line, index)];
    if (index < 0 || typeof begin !== 'number') return `${label}: not observed yet`;
    const value = line.values[index] ?? null;
    return `${label}: ${value === null ? 'none' : line.text(value)}, since ${dateText(toInstant(begin))}`;
  });
  return { head: dateText(toInstant(moment)), texts, index: null };
}

/** As much of a name as fits into a note. The legend has the whole name. */
function shortLabel(label: string): string {
  return label.length > mostCharacters ? `${label.slice(0, mostCharacters - 1).trimEnd()}…` : label;
}

/** The attempt nearest to the moment on the same day, or else the last report before it. */
function reportNote({ positions, lines, positionText, knownFrom }: Plot, moment: number): Note | null {
  const day = dayNumber(moment);
  if (knownFrom !== undefined && day < dayNumber(knownFrom)) return null;
  const index = neighbours(positions, moment).find((index) => dayNumber(positions[index] ?? 0) === day);
  if (index !== undefined) {
    const texts = lines.map((line) => {
      const value = valueText(line, index);
      return value === null ? 'The check failed.' : `${line.label}: ${value}`;
    });
    return { head: positionText(positions[index] ?? moment), texts, index };
  }
  const texts = lines.flatMap((line) => {
    const last = positions.findLastIndex((position, index) => position < moment && valueText(line, index) !== null);
    const [at, value] = [positions[last], valueText(line, last)];
    return at === undefined || value === null ? [] : [`${positionText(at)}: ${value}`];
  });
  return { head: `${dateText(toInstant(moment))}: not checked`, texts, index: null };
}

/** The indexes of the positions right before and after a moment, the nearer one first. */
function neighbours(positions: readonly number[], moment: number): number[] {
  const after = positions.findIndex((position) => position > moment);
  const before = (after < 0 ? positions.length : after) - 1;
  const distance = (index: number) => Math.abs((positions[index] ?? 0) - moment);
  return [before, after].filter((index) => index >= 0).sort((a, b) => distance(a) - distance(b));
}

/** The index at which the value at `index` began. */
function valueStart({ values }: PlotLine, index: number): number {
  return values.slice(0, index).findLastIndex((value) => value !== values[index]) + 1;
}
