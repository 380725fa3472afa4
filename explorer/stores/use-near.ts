import { useEffect, useMemo } from 'preact/hooks';
import type { StoreSummary } from '../../contract/schemas/store.ts';
import { parseHash, replaceQuery } from '../site/router.ts';
import { Gazetteer, type Place, pointIn } from './gazetteer.ts';

/** The place that the reader chose last, in any view. A view without a place in its address uses it. */
let last = '';

/** Where the reader looks for stores. It is in the address of every view that uses it. */
export type Near = {
  /** The text in the address; empty for none. */
  readonly text: string;
  /** Null if nothing is chosen, the stores are not loaded yet, or no store is there. */
  readonly place: Place | null;
  /** Null while the stores are loading. */
  readonly gazetteer: Gazetteer | null;
  readonly choose: (text: string) => void;
};

/** The place that the address names as `near`. `stores`: null while they are loading. */
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

/** The place in a query: `near`, or `lat` and `lng` as in the API's comparison. */
export function nearIn(query: URLSearchParams): string {
  const [near = '', latitude, longitude] = ['near', 'lat', 'lng'].map((name) => query.get(name) ?? '');
  const point = `${latitude},${longitude}`;
  return near || (pointIn(point) === null ? '' : point);
}

function writeNear(near: string): void {
  const { query } = parseHash(location.hash);
  replaceQuery({ ...Object.fromEntries(query), lat: null, lng: null, near });
}
