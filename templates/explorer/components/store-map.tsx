import type { ComponentType } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { MapProps } from '../map/map-place.ts';
import { Failed, Loading } from './states.tsx';

/**
 * Stores on a map, drawn from their locations alone: nothing is requested from another host. A view that shows it has a
 * table of the same stores. The code of the map is loaded here; a view that begins with a map asks for it before.
 */
export function StoreMap(props: MapProps) {
  const [loaded, setLoaded] = useState<{ readonly Drawing: ComponentType<MapProps> } | Error | null>(null);
  useLayoutEffect(() => {
    import('../map/map-drawing.tsx').then(({ MapDrawing }) => setLoaded({ Drawing: MapDrawing }), setLoaded);
  }, []);
  if (loaded === null) return <Loading what="the map" />;
  if (loaded instanceof Error) return <Failed error={loaded} />;
  return <loaded.Drawing {...props} />;
}
