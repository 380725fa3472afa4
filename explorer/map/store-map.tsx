import { useEffect, useState } from 'preact/hooks';
import { countNoun } from '../parts/text.ts';
import { ClusterMark, lookOrder, MapLegend } from './looks.tsx';
import { isAlone, locatedPlaces, type MapProps } from './map-place.ts';

type MapComponent = typeof import('./drawn-map.tsx')['DrawnMap'];
/** Kept, so that the next map is drawn at once. */
let loaded: MapComponent | null = null;

/**
 * A map of stores, drawn from their locations alone: nothing is requested from other hosts. Every view with a map also
 * has a table of the same stores, which is there before the code that draws the map.
 */
export function StoreMap(props: MapProps) {
  const { places, origin = null } = props;
  const [drawing, setDrawing] = useState<{ readonly of: MapComponent } | Error | null>(loaded && { of: loaded });
  const located = locatedPlaces(places);
  const isEmpty = origin === null && located.length === 0;
  useEffect(() => {
    if (drawing !== null || isEmpty) return;
    import('./drawn-map.tsx').then(({ DrawnMap }) => {
      loaded = DrawnMap;
      setDrawing({ of: DrawnMap });
    }, setDrawing);
  }, [isEmpty]);
  if (isEmpty) return <p class="note">No store has a published location, so there is no map.</p>;
  if (drawing instanceof Error) return <p class="note">The map could not be loaded. The table has the same stores.</p>;
  const unplaced = places.length - located.length;
  const looks = lookOrder.filter((look) => located.some((place) => place.look === look)).reverse();
  const [clusterLook = null] =
    located.filter((place) => !isAlone(place)).length > 1 ? looks.filter((look) => look !== 'here') : [];
  return (
    <div class="map">
      {drawing ? (
        <drawing.of {...props} />
      ) : (
        <div class="map-frame">
          <svg aria-hidden="true" />
        </div>
      )}
      <MapLegend
        looks={looks}
        hasOrigin={origin !== null}
        cluster={clusterLook && <ClusterMark look={clusterLook} count={3} />}
      />
      {unplaced > 0 && (
        <p class="muted">
          {countNoun(unplaced, 'store')} {unplaced === 1 ? 'has' : 'have'} no published location and{' '}
          {unplaced === 1 ? 'is' : 'are'} not on the map.
        </p>
      )}
    </div>
  );
}
