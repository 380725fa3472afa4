import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { rowPixels } from './row-window.ts';

/**
 * Highlighted rows of a table and their marks on a map, by row key. `isChosen`: by focus or a click, and not just by
 * pointing.
 */
type Lit = { readonly keys: readonly string[]; readonly from: 'table' | 'map'; readonly isChosen: boolean };

/**
 * Connects the highlights of a table and the map beside it. They draw it themselves; the view around them is not drawn
 * again.
 */
export type Highlight = {
  readonly light: (lit: Lit) => void;
  /** Ends a highlight that came from one of them. */
  readonly dim: (from: Lit['from']) => void;
  readonly listen: (listener: (lit: Lit | null) => void) => () => void;
};

export function useHighlight(): Highlight {
  return useMemo(() => {
    const listeners = new Set<(lit: Lit | null) => void>();
    let now: Lit | null = null;
    const light = (lit: Lit | null) => {
      now = lit;
      for (const listener of listeners) listener(lit);
    };
    const dim = (from: Lit['from']) => {
      if (now?.from === from) light(null);
    };
    const listen = (listener: (lit: Lit | null) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    };
    return { light, dim, listen };
  }, []);
}

/** The current highlight; null for none. */
export function useLit(highlight: Highlight | undefined): Lit | null {
  const [lit, setLit] = useState<Lit | null>(null);
  useEffect(() => highlight?.listen(setLit), [highlight]);
  return lit;
}

/**
 * Highlights rows together with marks on a map: returns the class and listeners of a row, or null without a highlight.
 * When a mark is chosen, its row is scrolled into view within the table; the window does not move.
 */
export function useLitRows<Row>(
  highlight: Highlight | undefined,
  box: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  rowKey: (row: Row) => string | number,
  isLong: boolean,
) {
  const lit = useLit(highlight);
  const fromMap = lit?.from === 'map' ? lit : null;
  useLayoutEffect(() => {
    if (!fromMap?.isChosen || box.current === null) return;
    const index = rows.findIndex((row) => fromMap.keys.includes(String(rowKey(row))));
    if (index >= 0) showRow(box.current, index, isLong);
  }, [fromMap]);
  if (!highlight) return null;
  return (row: Row) => {
    const key = String(rowKey(row));
    const light = (isChosen: boolean) => () => highlight.light({ keys: [key], from: 'table', isChosen });
    const dim = () => highlight.dim('table');
    return {
      class: lit?.keys.includes(key) ? 'lit' : undefined,
      onPointerEnter: light(false),
      onPointerLeave: dim,
      onFocusIn: light(true),
      onFocusOut: dim,
    };
  };
}

function showRow(box: HTMLElement, index: number, isLong: boolean): void {
  const head = box.querySelector('thead')?.offsetHeight ?? 0;
  const row = isLong ? null : box.querySelectorAll('tbody tr')[index]?.getBoundingClientRect();
  const height = row?.height ?? rowPixels();
  const top = row ? row.top - box.getBoundingClientRect().top + box.scrollTop : head + index * height;
  const isInSight = top >= box.scrollTop + head && top + height <= box.scrollTop + box.clientHeight;
  if (!isInSight) box.scrollTo({ top: top - (box.clientHeight + head - height) / 2 });
}
