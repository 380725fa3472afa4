import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { PublicationChangedError, type Site } from '../../../client/open-site.ts';
import type { Page, RowList } from '../../../client/row-list.ts';
import { useSession } from './session.ts';

/** The rows of a list so far. `meta` is that of its newest page; `state` `more`: there may be further pages. */
export type Paged<Row, Meta> = {
  readonly rows: readonly Row[];
  readonly meta: Meta | null;
  readonly state: 'loading' | 'more' | 'all' | 'failed';
  readonly error: Error | null;
  /** Loads the next page. */
  readonly more: () => void;
};

type State<Row, Meta> = Omit<Paged<Row, Meta>, 'more'> & { readonly key: string | null };

/** Reads a list page by page, as the reader asks. Another `key` begins another list. `key` null: there is no list yet. */
export function usePages<Row, Meta>(
  key: string | null,
  open: (site: Site, signal: AbortSignal) => RowList<Row, Meta>,
): Paged<Row, Meta> {
  const { site, noteChange } = useSession();
  const none = { rows: [], meta: null, state: 'loading', error: null, key } as const;
  const [known, setKnown] = useState<State<Row, Meta>>(none);
  // The first request is on its way while the view is drawn. What is listed depends on the key alone.
  const list = useMemo(() => {
    if (key === null) return null;
    const controller = new AbortController();
    const pages = open(site, controller.signal).pages()[Symbol.asyncIterator]();
    return { controller, pages, first: pages.next() };
  }, [key]);
  const load = async (before: State<Row, Meta>, page?: Promise<IteratorResult<Page<Row, Meta>>>) => {
    if (list === null) return;
    const { signal } = list.controller;
    setKnown({ ...before, state: 'loading' });
    try {
      const next = await (page ?? list.pages.next());
      if (signal.aborted) return;
      if (next.done) setKnown({ ...before, state: 'all' });
      else setKnown({ ...before, rows: [...before.rows, ...next.value.data], meta: next.value.meta, state: 'more' });
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof PublicationChangedError) noteChange();
      setKnown({ ...before, state: 'failed', error: error as Error });
    }
  };
  useLayoutEffect(() => {
    if (list === null) return;
    void load(none, list.first);
    return () => list.controller.abort();
  }, [list]);
  const is = known.key === key ? known : none;
  return { ...is, more: () => void load(is) };
}
