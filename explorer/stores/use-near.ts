import { useEffect, useMemo } from 'preact/hooks';
import type { StoreSummary } from '../../contract/documents/store.ts';
import { parseHash, replaceQuery } from '../app/router.ts';
import { Gazetteer, type Place, pointIn } from './gazetteer.ts';

/** The place that the reader chose last, in any view. A view whose address has none takes it over. */
let last = '';

/** Where the reader looks for stores. It is in the address of every view that has a use for it. */
export type Near = {
  /** What the address says; empty for nothing. */
  readonly text: string;
  /** Null where nothing is chosen, the stores are not loaded yet, or no store has such an address. */
  readonly place: Place | null;
  /** Null while the stores are not loaded. */
  readonly gazetteer: Gazetteer | null;
  readonly choose: (text: string) => void;
};

/** The place that the address of the view names as `near`. `stores`: null while they are not loaded. */
export function useNear(query: URLSearchParams, stores: readonly StoreSummary[] | null): Near {
  const text = nearIn(query);
  const gazetteer = useMemo(() => stores && new Gazetteer(stores), [stores]);
  const place = useMemo(() => gazetteer?.find(text) ?? null, [gazetteer, text]);
  useEffect(() => {
    if (place !== null) last = text;
    else if (text === '' && last !== '') writeNear(last);
  }, [text, place]);
  const choose = (next: string) => {
    last = next;
    writeNear(next);
  };
  return { text, place, gazetteer, choose };
}

/** What a query says of the place: `near`, or the `lat` and `lng` of the service's own comparison. */
export function nearIn(query: URLSearchParams): string {
  const [near = '', latitude, longitude] = ['near', 'lat', 'lng'].map((name) => query.get(name) ?? '');
  const point = `${latitude},${longitude}`;
  return near || (pointIn(point) === null ? '' : point);
}

function writeNear(near: string): void {
  const { query } = parseHash(location.hash);
  replaceQuery({ ...Object.fromEntries(query), lat: null, lng: null, near });
}
