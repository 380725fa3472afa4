import { useEffect, useMemo, useState } from 'preact/hooks';

/**
 * Highlighted rows of a table and their marks on a map, by row key. `isChosen`: by focus or a click, and not just by
 * pointing.
 */
export type Lit = { readonly keys: readonly string[]; readonly from: 'table' | 'map'; readonly isChosen: boolean };

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
