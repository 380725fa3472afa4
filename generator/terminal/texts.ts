import { countOf } from '../files/failure.ts';

/** The returned function gives the seconds since the start, to hundredths. */
export function stopwatch(): () => number {
  const started = performance.now();
  return () => Number(((performance.now() - started) / 1000).toFixed(2));
}

export function publicationText({ sequence, revision, published_at }: Named): string {
  return `publication ${sequence}, revision ${revision}, published ${published_at}`;
}

type Named = { readonly sequence: number; readonly revision: string; readonly published_at: string };

/** `text` gives a row's cell. Numbers are right-aligned. */
type TableColumn<Row> = readonly [title: string, text: (row: Row) => string, align?: 'right'];

/** The first line has the titles. No line ends in a space. */
export function tableLines<Row>(rows: readonly Row[], columns: readonly TableColumn<Row>[]): string[] {
  const padded = columns.map(([title, text, align]) => {
    const cells = [title, ...rows.map(text)];
    const width = Math.max(...cells.map(({ length }) => length));
    return cells.map((cell) => (align === 'right' ? cell.padStart(width) : cell.padEnd(width)));
  });
  return [...rows.keys(), rows.length].map((at) =>
    padded
      .map((cells) => cells[at])
      .join('  ')
      .trimEnd(),
  );
}

const byteUnits = ['kB', 'MB', 'GB', 'TB', 'PB'];

/** At most three digits, in powers of 1000: `812 bytes`, `7.5 kB`, `1.2 GB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return countOf(bytes, 'byte');
  let value = bytes;
  let unit = '';
  for (const next of byteUnits) {
    if (Number(value.toPrecision(3)) < 1000) break;
    value /= 1000;
    unit = next;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

/** `0.4 s`, `24 s`, `3 min 20 s`, `2 h 5 min`. */
export function durationText(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** As exact as a person needs it: `40 s`, `12 min`, `26 h 10 min`, `4 days 3 h`, `90 days`. */
export function ageText(seconds: number): string {
  const whole = Math.floor(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 72) return `${hours} h${minutes % 60 === 0 ? '' : ` ${minutes % 60} min`}`;
  const days = countOf(Math.floor(hours / 24), 'day');
  return hours % 24 === 0 || hours >= 30 * 24 ? days : `${days} ${hours % 24} h`;
}
