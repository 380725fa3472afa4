import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { Highlight } from '../parts/highlight.ts';
import type { Cluster } from './clusters.ts';
import { useGestures } from './gestures.ts';
import { moveByKey } from './map-controls.tsx';
import type { MapMark } from './map-points.tsx';
import type { Size, useWindow } from './map-window.ts';
import type { PlanePoint } from './projection.ts';

/**
 * What a reader does with the marks of a map by pointer and keyboard. `onOpen` shows the stores of a cluster apart;
 * `onPick` picks a place, in pixels. Returns the index of the mark that is pointed at or has the focus (-1 for none),
 * and the actions of the map and its marks.
 */
export function useMarkActions(
  svg: RefObject<SVGSVGElement | null>,
  {
    clusters,
    marks,
    view,
    size,
    highlight,
    onOpen,
    onPick,
  }: {
    readonly clusters: readonly Cluster[];
    readonly marks: readonly MapMark[];
    readonly view: ReturnType<typeof useWindow>;
    readonly size: Size;
    readonly highlight: Highlight | undefined;
    readonly onOpen: (cluster: Cluster) => void;
    readonly onPick: ((at: PlanePoint) => void) | undefined;
  },
) {
  const [active, setActive] = useState<string | null>(null);
  const markIndex = (id: string | null) => marks.findIndex(({ places }) => places.some((place) => place.id === id));
  const activate = (index: number, isChosen: boolean) => {
    const keys = marks[index]?.places.map(({ id }) => id) ?? [];
    setActive(keys.at(-1) ?? null);
    highlight?.light({ keys, from: 'map', isChosen });
  };
  const deactivate = () => {
    setActive(null);
    highlight?.dim('map');
  };
  const focusMark = (index: number | null) => {
    if (index !== null) svg.current?.querySelector<SVGElement>(`[data-point="${index}"]`)?.focus();
  };
  useGestures(svg, {
    ...view,
    click: (at, target) => {
      const cluster = clusters[markAt(target)];
      if (isOfSeveral(cluster)) {
        onOpen(cluster);
        // A pointer opened the cluster, so none of its stores gets the focus.
        svg.current?.focus();
      } else onPick?.(at);
    },
  });
  // The focused mark may have joined a cluster, or have been opened.
  const focused = storeAt(svg.current, document.activeElement);
  useLayoutEffect(() => {
    if (focused !== null && storeAt(svg.current, document.activeElement) === null) focusMark(markIndex(focused));
  });
  // A mark that disappeared gets no pointerleave event.
  useLayoutEffect(() => {
    if (storeAt(svg.current, document.activeElement) === null) deactivate();
  }, [clusters]);
  /** Handles a key on the mark at an index. Returns false for keys that do not concern marks. */
  const pressOnMark = (key: string, index: number): boolean => {
    const cluster = clusters[index];
    const mark = marks[index];
    if (key in arrows) focusMark(nearestNeighbour(clusters, index, arrows[key] as Direction));
    else if (key === 'PageDown' || key === 'PageUp') focusMark(index + (key === 'PageDown' ? 1 : -1));
    else if (key === 'Escape') svg.current?.focus();
    else if (isOfSeveral(cluster) && (key === 'Enter' || key === ' ')) onOpen(cluster);
    else if (key === 'Enter' && onPick && mark) onPick(mark.at);
    else return false;
    return true;
  };
  const pressOnMap = (key: string): boolean => {
    if (key !== 'Enter' || !onPick) return false;
    onPick({ x: size.width / 2, y: size.height / 2 });
    return true;
  };
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const index = markAt(event.target as Element);
    const isDone = index < 0 ? pressOnMap(event.key) : pressOnMark(event.key, index);
    if (isDone || moveByKey(event.key, view, size)) event.preventDefault();
  };
  /** Shows the mark that gets the focus, which may be outside the window. */
  const show = (index: number) => {
    const at = marks[index]?.at;
    if (!at) return;
    activate(index, true);
    const isOutside = at.x < 0 || at.y < 0 || at.x > size.width || at.y > size.height;
    if (isOutside) view.move({ x: size.width / 2 - at.x, y: size.height / 2 - at.y });
  };
  const point = (index: number, isActive: boolean) => (isActive ? activate(index, false) : deactivate());
  return { activeIndex: markIndex(active), press, show, point };
}

function isOfSeveral(cluster: Cluster | undefined): cluster is Cluster {
  return cluster !== undefined && cluster.members.length > 1;
}

/** The index of the mark that contains an element; -1 for none. */
function markAt(element: Element | null): number {
  return Number(element?.closest('[data-point]')?.getAttribute('data-point') ?? -1);
}

/** The top store of the mark that has the focus; null if the focus is outside the map. */
function storeAt(map: Element | null, focused: Element | null): string | null {
  if (!map?.contains(focused)) return null;
  return focused?.closest('[data-stores]')?.getAttribute('data-stores')?.split(' ').at(-1) ?? null;
}

type Direction = 'left' | 'right' | 'up' | 'down';

const arrows: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

/**
 * The index of the nearest point in a direction; null if there is none. Of points at the same position, later ones
 * count as right and down.
 */
function nearestNeighbour(points: readonly PlanePoint[], from: number, direction: Direction): number | null {
  const start = points[from];
  if (!start) return null;
  let best: { readonly index: number; readonly distance: number } | null = null;
  for (const [index, { x, y }] of points.entries()) {
    if (index === from) continue;
    const [east, south] = [x - start.x, y - start.y];
    if (!isTowards(east, south, direction, index > from)) continue;
    const distance = Math.hypot(east, south);
    const isCloser = best === null || distance < best.distance;
    if (isCloser) best = { index, distance };
  }
  return best?.index ?? null;
}

function isTowards(east: number, south: number, direction: Direction, isLater: boolean): boolean {
  if (east === 0 && south === 0) return isLater === (direction === 'right' || direction === 'down');
  const isAcross = Math.abs(east) >= Math.abs(south);
  if (direction === 'left') return isAcross && east < 0;
  if (direction === 'right') return isAcross && east > 0;
  return !isAcross && (direction === 'up' ? south < 0 : south > 0);
}
