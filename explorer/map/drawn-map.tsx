import { useMemo, useRef } from 'preact/hooks';
import { useLit } from '../parts/highlight.ts';
import { afterFirstPicture, useLater } from '../parts/later.tsx';
import { CityNames } from './city-names.tsx';
import { type Cluster, clusterPoints } from './clusters.ts';
import { OriginMark } from './looks.tsx';
import { MapControls } from './map-controls.tsx';
import { Ground, useOutline } from './map-ground.tsx';
import { isAlone, type MapProps } from './map-place.ts';
import { type MapPlane, useFirstPoints, useMapPlane } from './map-plane.ts';
import { Halo, MapLabel, type MapMark, MapPoint, markWords } from './map-points.tsx';
import { closest, type MapWindow, type Size, toPixels, toPlane, useSize, useWindow } from './map-window.ts';
import { useMarkActions } from './mark-actions.ts';
import type { PlanePoint } from './projection.ts';
import { ScaleBars } from './scale-bars.tsx';

/** A drawn map with its controls. */
export function DrawnMap({ places, label, origin = null, radius_m = null, onPick, highlight }: MapProps) {
  const svg = useRef<SVGSVGElement | null>(null);
  const size = useSize(svg);
  const isWhole = useLater(afterFirstPicture);
  const { isNamed, outline, error } = useOutline();
  const plane = useMapPlane(places, origin);
  const first = useFirstPoints(plane, origin);
  const view = useWindow(plane.all, first.points, first.key, size);
  const { window } = view;
  const { clusters, marks } = useMarks(plane, window, size);
  const lit = useLit(highlight);
  const litInTable = lit?.from === 'table' ? lit.keys : [];
  const litMarks = marks.filter(({ places }) => places.some(({ id }) => litInTable.includes(id)));
  const pick = (at: PlanePoint) => {
    const { latitude, longitude } = plane.projection.toEarth(toPlane(window, size, at));
    const point = { latitude: roundDegrees(latitude), longitude: roundDegrees(longitude) };
    first.notePick(point);
    onPick?.(point);
  };
  const open = ({ members }: Cluster) => view.showOnly(members.flatMap((index) => plane.points[index] ?? []));
  const actions = useMarkActions(svg, {
    ...{ clusters, marks, view, size, highlight },
    ...{ onOpen: open, onPick: onPick && pick },
  });
  const labelled = litMarks[0] ?? marks[actions.activeIndex];
  return (
    <>
      <div class={isNamed ? 'map-frame' : 'map-frame plain'}>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be drawn in */}
        <svg
          ref={svg}
          role="group"
          // SVG attributes keep their own spelling.
          tabindex={0}
          aria-label={`Map: ${label}. Arrow keys move it, plus and minus zoom, Tab goes to a store.${onPick ? ' Enter picks its centre.' : ''}`}
          class={onPick ? 'picks' : undefined}
          viewBox={`0 0 ${size.width} ${size.height}`}
          onKeyDown={actions.press}
        >
          <Ground
            {...{ outline, window, size, origin, radius_m }}
            isPlain={!isNamed && isWhole}
            projection={plane.projection}
          />
          <Way plane={plane} window={window} size={size} />
          {isWhole && <CityNames marks={marks} size={size} />}
          {isWhole &&
            marks.map((mark, index) => (
              <MapPoint
                key={mark.places.at(-1)?.id}
                mark={mark}
                index={index}
                isTabStop={index === (actions.activeIndex < 0 ? marks.length - 1 : actions.activeIndex)}
                isPicked={onPick !== undefined}
                onActive={(isActive) => actions.point(index, isActive)}
                onFocus={() => actions.show(index)}
                onOpen={() => clusters[index] && open(clusters[index])}
              />
            ))}
          {litMarks.map((mark) => (
            <Halo key={mark.places.at(-1)?.id} mark={mark} />
          ))}
          {onPick && <path class="crosshair" d={`M${size.width / 2 - 12} ${size.height / 2}h24m-12-12v24`} />}
          <ScaleBars metresPerPixel={window.metresPerPixel} size={size} />
        </svg>
        {labelled && <MapLabel text={markLabel(labelled, litInTable)} mark={labelled} size={size} />}
        <MapControls {...view} size={size} />
      </div>
      {error && <p class="note">The outline of the map cannot be read. {error.message}</p>}
    </>
  );
}

/** The stores as clusters, and as marks in pixels. Both have the same order. */
function useMarks({ points, located }: MapPlane, window: MapWindow, size: Size) {
  // At the closest zoom, clusters could not be opened any further.
  const isClosest = window.metresPerPixel <= closest;
  const clusters = useMemo(
    () => clusterPoints(points, window.metresPerPixel, (index) => isClosest || isAlone(located[index])),
    [points, located, window.metresPerPixel],
  );
  const marks = clusters.map(
    (cluster): MapMark => ({
      places: cluster.members.flatMap((index) => located[index] ?? []),
      at: toPixels(window, size, cluster),
    }),
  );
  return { clusters, marks };
}

/** The chosen place, and lines from it to all stops of a plan and back. */
function Way({
  plane: { origin, stops },
  window,
  size,
}: {
  readonly plane: MapPlane;
  readonly window: MapWindow;
  readonly size: Size;
}) {
  if (origin === null) return null;
  const at = toPixels(window, size, origin);
  const corners = [at, ...stops.map((stop) => toPixels(window, size, stop))].map(({ x, y }) => `${x} ${y}`);
  return (
    <>
      {stops.length > 0 && <path class="way" d={`M${corners.join('L')}Z`} />}
      <g class="origin" transform={`translate(${at.x} ${at.y})`}>
        <title>The chosen place</title>
        <OriginMark />
      </g>
    </>
  );
}

/** The label of a mark: the store whose row is highlighted, or else all stores of the mark. */
function markLabel({ places }: MapMark, lit: readonly string[]): string {
  const own = places.filter(({ id }) => lit.includes(id));
  return markWords(own.length > 0 ? own : places);
}

/** Rounds to about a metre: a click is no more exact. */
function roundDegrees(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5;
}
