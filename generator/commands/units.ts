import { countOf } from '../failure.ts';

const byteUnits = ['kB', 'MB', 'GB', 'TB', 'PB'];

/** A number of bytes with at most three digits, in powers of 1000: `812 bytes`, `7.5 kB`, `1.2 GB`. */
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

/** A duration as people say it: `0.4 s`, `24 s`, `3 min 20 s`, `2 h 5 min`. */
export function durationText(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** An age as people say it, as exact as they need it: `40 s`, `12 min`, `26 h 10 min`, `4 days 3 h`, `90 days`. */
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
