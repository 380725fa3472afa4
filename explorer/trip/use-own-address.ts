import { useLayoutEffect, useRef } from 'preact/hooks';
import { isSameList } from '../products/sku-lists.ts';
import { parseHash, replaceQuery } from '../site/router.ts';

/**
 * Puts the reader's own trip into an address without products, and updates it while the trip changes, in this tab or
 * another. An address with other products is a trip from a link, and stays as it is.
 */
export function useOwnAddress(skus: readonly string[], trip: readonly string[]): void {
  const before = useRef(trip);
  useLayoutEffect(() => {
    const wasOwn = skus.length === 0 || isSameList(skus, before.current);
    before.current = trip;
    const { view, query } = parseHash(location.hash);
    // The reader may have followed a link that the view has not been drawn for yet.
    if (!wasOwn || isSameList(skus, trip) || view !== 'compare') return;
    query.delete('skus');
    replaceQuery({ skus: trip.join(), ...Object.fromEntries(query) });
  }, [skus.join(), trip]);
}
