import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { keepValue, keptValue, numberFrom, takeKeptValue } from '../app/history-values.ts';
import { usePrinting } from '../components/printing.ts';
import { afterFirstPicture, useLater } from '../components/use-later.ts';

/** A longer table scrolls in a place of its own, and only the rows in sight are in the page. */
const mostRows = { usual: 150, typed: 60 } as const;
/** So many rows of it are printed. */
export const mostPrinted = 2000;
/** The height of a row of a long table where the style sheet says none, in rem. */
const usualRem = 2.25;
/** Rows above and below those in sight of a table that is scrolled, so that scrolling and the tabulator find them. */
const spareRows = 6;
/** The rows in the page change when the reader has scrolled by this many, not with every pixel. */
const step = 6;

export type RowChange = 'growing' | 'typed' | 'other';

export type RowWindow = {
  readonly isLong: boolean;
  /** The rows in the page: from `start` to before `end`. */
  readonly start: number;
  readonly end: number;
  readonly onScroll: () => void;
};

/**
 * The rows of a table that are in the page. `change`: how they become others. Those that only grow stay where they are; all others
 * begin at the top again, and those that follow what a reader types must be drawn between two keys. `name`: under it, the step of the
 * browser's history keeps how far the table was scrolled.
 */
export function useRowWindow(
  box: RefObject<HTMLElement | null>,
  rows: readonly unknown[],
  change: RowChange,
  name: string,
): RowWindow {
  const isGrowing = change === 'growing';
  const isLong = rows.length > mostRows[change === 'typed' ? 'typed' : 'usual'];
  /** Null while the table is at its top. */
  const [first, setFirst] = useState<number | null>(null);
  const [inSight, setInSight] = useState(() => Math.ceil((innerHeight * 0.5) / rowPixels()));
  // Rows out of sight.
  const isBegun = useLater(afterFirstPicture);
  const shown = useRef(rows);
  const isPrinting = usePrinting();
  /** How far the table is scrolled. On paper it has no place of its own to scroll in. */
  const scrolled = useRef(0);
  const show = (pixels: number) => {
    const row = Math.floor(pixels / rowPixels());
    setFirst(pixels > 0 ? row - (row % step) : null);
  };
  const onScroll = () => {
    if (isPrinting) return;
    const pixels = box.current?.scrollTop ?? 0;
    scrolled.current = pixels;
    if (!isLong) return;
    show(pixels);
    keepValue(name, pixels);
  };
  /** Shows a reader who comes back the rows that they left, once they are all there. */
  const comeBack = () => {
    const wanted = numberFrom(keptValue(name), 1);
    const element = box.current;
    if (wanted === null || element === null || element.scrollHeight - element.clientHeight < wanted) return;
    takeKeptValue(name);
    element.scrollTo(0, wanted);
    show(wanted);
  };
  // A table that is long no more has another height at once, which must not count.
  useLayoutEffect(() => {
    const element = box.current;
    if (!isLong || !isBegun || element === null) return;
    const observer = new ResizeObserver(() => {
      setInSight(rowsWithin(element.clientHeight));
      // The first view of the page is drawn before it is laid out.
      comeBack();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [isLong, isBegun]);
  useLayoutEffect(() => {
    if (shown.current !== rows && !isGrowing) {
      // It makes the browser lay out the new rows at once, and again for their picture.
      if (scrolled.current > 0) box.current?.scrollTo(0, 0);
      scrolled.current = 0;
      setFirst(null);
    }
    shown.current = rows;
    if (isLong) comeBack();
  }, [rows]);
  useLayoutEffect(() => {
    if (!isPrinting && scrolled.current > 0) box.current?.scrollTo(0, scrolled.current);
  }, [isPrinting]);
  if (!isLong) {
    const end = isBegun ? rows.length : Math.min(rows.length, inSight);
    return { isLong, start: 0, end, onScroll };
  }
  if (isPrinting) return { isLong, start: 0, end: Math.min(rows.length, mostPrinted), onScroll };
  const top = shown.current === rows || isGrowing ? first : null;
  if (top === null) return { isLong, start: 0, end: Math.min(rows.length, inSight), onScroll };
  const start = Math.max(0, Math.min(top, rows.length - inSight) - spareRows);
  return { isLong, start, end: Math.min(rows.length, top + inSight + spareRows), onScroll };
}

/** How many rows of a long table are seen in so many pixels, and the step beyond them. */
function rowsWithin(pixels: number): number {
  return Math.ceil(pixels / rowPixels()) + step;
}

/** The height of a row of a long table in pixels. The style sheet has it in rem: it grows with the reader's text, and for a thumb. */
export function rowPixels(): number {
  const style = getComputedStyle(document.documentElement);
  // The style sheet may not have come.
  const rem = Number.parseFloat(style.getPropertyValue('--row')) || usualRem;
  return rem * Number.parseFloat(style.fontSize);
}
