import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { keepValue, keptValue, numberFrom, takeKeptValue } from '../site/history-values.ts';
import { afterFirstPicture, useLater } from './later.tsx';
import { usePrinting } from './printing.ts';

/** A table with more rows scrolls in a box of its own, and only the visible rows are in the document. */
const mostRows = { usual: 150, typed: 60 } as const;
/** The most rows that are printed. */
export const mostPrinted = 2000;
/** The height of a row in rem if the style sheet does not say. */
const usualRem = 2.25;
/** Extra rows above and below the visible ones, so that scrolling and the Tab key find them. */
const spareRows = 6;
/** The rows change after scrolling by this many rows, not with every pixel. */
const step = 6;

export type RowChange = 'growing' | 'typed' | 'other';

export type RowWindow = {
  readonly isLong: boolean;
  /** The rows in the document: from `start` to before `end`. */
  readonly start: number;
  readonly end: number;
  readonly onScroll: () => void;
};

/**
 * The rows of a table that are in the document. `change`: how the rows change. Growing rows keep their scroll position;
 * all others start at the top again, and rows that follow typing must be drawn between two keystrokes. `name`: the name
 * under which the browser's history keeps the scroll position.
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
  // Rows below the window are added later.
  const isBegun = useLater(afterFirstPicture);
  const shown = useRef(rows);
  const isPrinting = usePrinting();
  /** How far the table is scrolled. On paper it does not scroll. */
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
  /** Restores the scroll position when a reader returns, once all those rows are there. */
  const comeBack = () => {
    const wanted = numberFrom(keptValue(name), 1);
    const element = box.current;
    if (wanted === null || element === null || element.scrollHeight - element.clientHeight < wanted) return;
    takeKeptValue(name);
    element.scrollTo(0, wanted);
    show(wanted);
  };
  // Ignore the height change when a table stops being long.
  useLayoutEffect(() => {
    const element = box.current;
    if (!isLong || !isBegun || element === null) return;
    const observer = new ResizeObserver(() => {
      setInSight(rowsWithin(element.clientHeight));
      // The first view is drawn before it is laid out.
      comeBack();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [isLong, isBegun]);
  useLayoutEffect(() => {
    if (shown.current !== rows && !isGrowing) {
      // Scrolling forces the browser to lay out the new rows twice.
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

/** How many rows fit into a height, plus one step. */
function rowsWithin(pixels: number): number {
  return Math.ceil(pixels / rowPixels()) + step;
}

/**
 * The height of a row in pixels. The style sheet has it in rem: it grows with the reader's font size, and for touch.
 */
export function rowPixels(): number {
  const style = getComputedStyle(document.documentElement);
  // The style sheet may have failed to load.
  const rem = Number.parseFloat(style.getPropertyValue('--row')) || usualRem;
  return rem * Number.parseFloat(style.fontSize);
}
