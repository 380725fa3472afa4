import { useEffect, useMemo, useState } from 'preact/hooks';

/** Rows of a table and their marks on a map, by the keys of the rows. `isChosen`: by focus or a click, and not only pointed at. */
export type Lit = { readonly keys: readonly string[]; readonly from: 'table' | 'map'; readonly isChosen: boolean };

/** What a table and the map beside it light up together. They draw it themselves; the view around them is not drawn again. */
export type Highlight = {
  readonly light: (lit: Lit) => void;
  /** Ends the light that comes from one of them. */
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

/** What is lit now; null for nothing, and without a highlight. */
export function useLit(highlight: Highlight | undefined): Lit | null {
  const [lit, setLit] = useState<Lit | null>(null);
  useEffect(() => highlight?.listen(setLit), [highlight]);
  return lit;
}
