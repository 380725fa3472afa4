import { createContext } from 'preact';
import { useContext, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { PublicationChangedError, type Site } from '../../client/open-site.ts';
import { onReadAgain } from './failures.ts';

export type Metadata = Awaited<ReturnType<Site['metadata']>>;

/** The site, opened at one publication for as long as the explorer is open. */
export type Session = {
  readonly site: Site;
  readonly metadata: Metadata;
  /** Called when an answer comes from another publication. The explorer does not show it, and offers to reload. */
  readonly noteChange: () => void;
};

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('a view is shown before the site is opened');
  return session;
}

export type Loaded<Value> =
  | { readonly state: 'loading'; readonly value: null; readonly error: null }
  | { readonly state: 'loaded'; readonly value: Value; readonly error: null }
  | { readonly state: 'failed'; readonly value: null; readonly error: Error };

const loading = { state: 'loading', value: null, error: null } as const;

/**
 * Reads from the site whenever `key` changes, and aborts the read when it changes again. With a null `key`, there is
 * nothing to read yet. A failed read is repeated when the reader asks for it.
 */
export function useLoaded<Value>(
  key: string | null,
  read: (site: Site, signal: AbortSignal) => Promise<Value>,
): Loaded<Value> {
  const { site, noteChange } = useSession();
  const [attempt, setAttempt] = useState(0);
  const [loaded, setLoaded] = useState<{ readonly of: unknown; readonly is: Loaded<Value> }>({ of: null, is: loading });
  // The request is sent while the view is drawn. What is read depends on the key alone.
  const reading = useMemo(() => {
    const controller = new AbortController();
    return key === null ? null : { controller, value: read(site, controller.signal) };
  }, [key, attempt]);
  useLayoutEffect(() => {
    if (reading === null) return;
    const { controller, value } = reading;
    let settle = () => {};
    value.then(
      (value) => {
        if (!controller.signal.aborted) setLoaded({ of: reading, is: { state: 'loaded', value, error: null } });
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        if (error instanceof PublicationChangedError) noteChange();
        settle = onReadAgain(() => setAttempt((count) => count + 1));
        setLoaded({ of: reading, is: { state: 'failed', value: null, error: error as Error } });
      },
    );
    return () => {
      settle();
      controller.abort();
    };
  }, [reading]);
  return loaded.of === reading ? loaded.is : loading;
}

/** The previous value while the next one loads, so that a list stays visible while a row is added to it. */
export function useKept<Value>(loaded: Loaded<Value>): Loaded<Value> {
  const kept = useRef(loaded);
  if (loaded.state !== 'loading') kept.current = loaded;
  return kept.current;
}

/** Reads something from a site once for all views. A failed read is repeated the next time it is needed. */
export function readOnce<Value>(read: (site: Site) => Promise<Value>): (site: Site) => Promise<Value> {
  const known = new WeakMap<Site, Promise<Value>>();
  return (site) => {
    const begun = known.get(site);
    if (begun !== undefined) return begun;
    const reading = read(site);
    known.set(site, reading);
    reading.catch(() => known.delete(site));
    return reading;
  };
}
