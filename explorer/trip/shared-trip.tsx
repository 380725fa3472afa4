import { useState } from 'preact/hooks';
import { countNoun } from '../parts/text.ts';
import { replaceTrip } from '../products/own-trip.ts';
import { isSameList } from '../products/sku-lists.ts';
import { hrefFor, parseHash, replaceQuery } from '../site/router.ts';

/** Says that the products come from a link, and offers to make them the reader's own trip, or to undo that. */
export function SharedTrip({ skus, trip }: { readonly skus: readonly string[]; readonly trip: readonly string[] }) {
  const [replaced, setReplaced] = useState<readonly string[]>([]);
  const isShared = skus.length > 0 && !isSameList(skus, trip);
  if (!isShared && replaced.length === 0) return null;
  const use = () => {
    setReplaced(trip);
    replaceTrip(skus);
    // From now on it is the reader's own trip, made from the current publication.
    const { query } = parseHash(location.hash);
    replaceQuery({ ...Object.fromEntries(query), revision: null });
  };
  const bringBack = () => {
    setReplaced([]);
    replaceTrip(replaced);
  };
  return (
    <div class="shared-trip on-screen" role="status">
      {isShared ? (
        <>
          This is a shared trip with {countNoun(skus.length, 'product')}
          {trip.length > 0 && (
            <>
              , not <a href={hrefFor('compare')}>your own with {countNoun(trip.length, 'product')}</a>
            </>
          )}
          .{' '}
          <button type="button" class="small" onClick={use}>
            Make it my trip
          </button>
        </>
      ) : (
        <>
          This is your trip now. The previous one had {countNoun(replaced.length, 'product')}.{' '}
          <button type="button" class="small" onClick={bringBack}>
            Bring it back
          </button>
        </>
      )}
    </div>
  );
}
