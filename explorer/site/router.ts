import type { ComponentType } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { dropKeptValues } from './history-values.ts';

/** The address of a view: the part of the URL after the #, such as `#/product/004105?tab=changes`. */
export type ViewAddress = { readonly view: string; readonly argument: string; readonly query: URLSearchParams };

export type ViewProps = { readonly argument: string; readonly query: URLSearchParams };
export type View = ComponentType<ViewProps>;

/** Parses the address of a view. `#/product/004105` is the view `product` with the argument `004105`. */
export function parseHash(hash: string): ViewAddress {
  const [path = '', ...rest] = hash.replace(/^#\/?/, '').split('?');
  const [view = '', ...argument] = path.split('/');
  return { view: view || 'home', argument: decoded(argument.join('/')), query: new URLSearchParams(rest.join('?')) };
}

/** A link to a view. The inverse of {@link parseHash}. Parameters that are null or empty are left out. */
export function hrefFor(
  view: string,
  argument = '',
  query: Readonly<Record<string, string | number | null | undefined>> = {},
): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  const path = view === 'home' ? '' : argument === '' ? view : `${view}/${encodeURIComponent(argument)}`;
  const text = pairs.length === 0 ? '' : new URLSearchParams(pairs).toString();
  return `#/${path}${text === '' ? '' : `?${text}`}`;
}

/** The full URL of a view, for other devices. */
export function fullUrl(href: string): string {
  const { origin, pathname, search } = location;
  return `${origin}${pathname}${search}${href}`;
}

/** Changes the query of the current address without a new step in the browser's history. */
export function replaceQuery(query: Parameters<typeof hrefFor>[2]): void {
  const { view, argument } = parseHash(location.hash);
  dropKeptValues();
  history.replaceState(history.state, '', hrefFor(view, argument, query));
  dispatchEvent(new HashChangeEvent('hashchange'));
}

/** The current address. */
export function useViewAddress(): ViewAddress {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const read = () => setHash(location.hash);
    addEventListener('hashchange', read);
    // The first view may have changed its address while it was drawn.
    read();
    return () => removeEventListener('hashchange', read);
  }, []);
  return useMemo(() => parseHash(hash), [hash]);
}

/** A decoded part of a path; unchanged if its escapes are not UTF-8. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
