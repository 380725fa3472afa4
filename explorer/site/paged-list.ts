import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { PublicationChangedError, type Site } from '../../client/open-site.ts';
import type { RowList } from '../../client/row-list.ts';
import { onReadAgain } from './failures.ts';
import { keepValue, numberFrom, takeKeptValue } from './history-values.ts';
import { useSession } from './session.ts';

/** The rows of a list loaded so far. `meta` comes from the newest page. State `more`: there may be more pages. */
export type Paged<Row, Meta> = {
  readonly rows: readonly Row[];
  readonly meta: Meta | null;
  readonly state: 'loading' | 'more' | 'all' | 'failed';
  readonly error: Error | null;
  /** Loads the next page. */
  readonly more: () => void;
};

type ListState<Row, Meta> = Omit<Paged<Row, Meta>, 'more'> & { readonly key: string | null; readonly pages: number };

/**
 * Reads a list page by page, on demand. A new `key` starts a new list; with a null `key` there is no list yet. Readers
 * who return get as many pages as they had before.
 */
export function usePages<Row, Meta>(
  key: string | null,
  open: (site: Site, signal: AbortSignal) => RowList<Row, Meta>,
): Paged<Row, Meta> {
  const { site, noteChange } = useSession();
  const none = { rows: [], meta: null, state: 'loading', error: null, key, pages: 0 } as const;
  const [known, setKnown] = useState<ListState<Row, Meta>>(none);
  const [attempt, setAttempt] = useState(0);
  /** How many pages to load when a failed list is read again. */
  const again = useRef<number | null>(null);
  // The first request is sent while the view is drawn. The list depends on the key alone.
  const list = useMemo(() => {
    if (key === null) return null;
    const controller = new AbortController();
    const pages = open(site, controller.signal).pages()[Symbol.asyncIterator]();
    return { controller, pages, first: pages.next() };
  }, [key, attempt]);
  const name = `pages of ${key}`;
  const is = known.key === key ? known : none;
  /** Loads pages after `before`, one by one, until there are `wanted` pages, and then shows them. */
  const load = async (before: ListState<Row, Meta>, wanted: number) => {
    if (list === null) return;
    const { signal } = list.controller;
    let so: ListState<Row, Meta> = before;
    setKnown({ ...is, state: 'loading', error: null });
    try {
      while (so.pages < wanted && so.state !== 'all') {
        const next = await (so.pages === 0 ? list.first : list.pages.next());
        if (next.done) so = { ...so, state: 'all' };
        else {
          const rows = [...so.rows, ...next.value.data];
          so = { ...so, rows, meta: next.value.meta, state: 'more', pages: so.pages + 1 };
        }
      }
      if (signal.aborted) return;
      setKnown(so);
      if (so.pages > 1) keepValue(name, so.pages);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof PublicationChangedError) noteChange();
      setKnown({ ...so, state: 'failed', error: error as Error });
      const stop = onReadAgain(() => {
        again.current = wanted;
        setAttempt((count) => count + 1);
      });
      signal.addEventListener('abort', stop);
    }
  };
  useLayoutEffect(() => {
    if (list === null) return;
    void load(none, again.current ?? numberFrom(takeKeptValue(name), 1) ?? 1);
    again.current = null;
    return () => list.controller.abort();
  }, [list]);
  return { ...is, more: () => void load(is, is.pages + 1) };
}
