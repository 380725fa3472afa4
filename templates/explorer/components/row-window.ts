import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { afterFirstPicture, useLater } from './later.ts';

/** A longer table scrolls in a place of its own, and only the rows in sight are in the page. */
const mostRows = 150;
/** The height of a row of a long table in the style sheet, in rem. */
export const rowRem = 2.25;
/** Rows above and below those in sight, so that slow scrolling and the tabulator find them. */
const spareRows = 12;
/** The rows in the page change when the reader has scrolled by this many, not with every pixel. */
const step = 6;

export type RowWindow = {
  readonly isLong: boolean;
  /** The rows in the page: from `start` to before `end`. */
  readonly start: number;
  readonly end: number;
  /** What identifies a row's element: rows that come into sight take the elements of those that leave it. */
  readonly slotOf: (position: number) => number;
  readonly onScroll: () => void;
};

/** The rows of a table that are in the page. Other rows begin at the top again, unless they only grow. */
export function useRowWindow(
  place: RefObject<HTMLElement | null>,
  rows: readonly unknown[],
  isGrowing: boolean,
): RowWindow {
  const isLong = rows.length > mostRows;
  const [first, setFirst] = useState(0);
  const [inSight, setInSight] = useState(() => Math.ceil((innerHeight * 0.5) / rowPixels()));
  // Rows out of sight.
  const isBegun = useLater(afterFirstPicture);
  const shown = useRef(rows);
  const onScroll = () => {
    const row = Math.floor((place.current?.scrollTop ?? 0) / rowPixels());
    setFirst(row - (row % step));
  };
  useEffect(() => {
    const element = place.current;
    if (!isLong || !isBegun || element === null) return;
    const observer = new ResizeObserver(() => setInSight(rowsWithin(element.clientHeight)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [isLong, isBegun]);
  useLayoutEffect(() => {
    if (shown.current === rows) return;
    shown.current = rows;
    if (isGrowing) return;
    place.current?.scrollTo(0, 0);
    setFirst(0);
  }, [rows]);
  if (!isLong) {
    const end = isBegun ? rows.length : Math.min(rows.length, inSight);
    return { isLong, start: 0, end, slotOf: (position) => position, onScroll };
  }
  const top = shown.current === rows || isGrowing ? Math.min(first, Math.max(0, rows.length - inSight)) : 0;
  const spare = isBegun ? spareRows : 0;
  const slots = inSight + 2 * spare;
  return {
    isLong,
    start: Math.max(0, top - spare),
    end: Math.min(rows.length, top + inSight + spare),
    slotOf: (position) => position % slots,
    onScroll,
  };
}

/** How many rows of a long table are seen in so many pixels, and the step beyond them. */
function rowsWithin(pixels: number): number {
  return Math.ceil(pixels / rowPixels()) + step;
}

/** The height of a row of a long table in pixels. It grows with the reader's text. */
export function rowPixels(): number {
  return rowRem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
}
