import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { PlanePoint } from './projection.ts';

/** The part of the plane that a map shows: its centre, and how many metres a pixel is. */
export type MapWindow = { readonly middle: PlanePoint; readonly metresPerPixel: number };

export type Size = { readonly width: number; readonly height: number };

/**
 * Free pixels around the points that a map is fitted to. The scale bars are at the bottom, the controls on the right.
 */
const margin = 28;
const marginBelow = 52;
const marginRight = 56;
/** The closest zoom, in metres per pixel: about the scale of houses, so that two stores in one street are apart. */
export const closest = 1.5;

/** The minimum width of a map in metres by default: a few kilometres around one store. */
const leastAcross = 4_000;

/** The window that shows all points. A pixel is at least `least` metres. */
function windowAround(
  points: readonly PlanePoint[],
  { width, height }: Size,
  least = leastAcross / Math.max(1, width),
): MapWindow {
  const [left, right] = extremes(points.map(({ x }) => x));
  const [top, bottom] = extremes(points.map(({ y }) => y));
  const across = (right - left) / Math.max(1, width - margin - marginRight);
  const down = (bottom - top) / Math.max(1, height - margin - marginBelow);
  const metresPerPixel = Math.max(across, down, least);
  const half = metresPerPixel / 2;
  const middle = {
    x: (left + right) / 2 + (marginRight - margin) * half,
    y: (top + bottom) / 2 + (marginBelow - margin) * half,
  };
  return { middle, metresPerPixel };
}

/** Converts a point of the plane to pixels from the map's top left corner. */
export function toPixels({ middle, metresPerPixel }: MapWindow, { width, height }: Size, { x, y }: PlanePoint) {
  return { x: (x - middle.x) / metresPerPixel + width / 2, y: (y - middle.y) / metresPerPixel + height / 2 };
}

/** The inverse of {@link toPixels}. */
export function toPlane({ middle, metresPerPixel }: MapWindow, { width, height }: Size, { x, y }: PlanePoint) {
  return { x: middle.x + (x - width / 2) * metresPerPixel, y: middle.y + (y - height / 2) * metresPerPixel };
}

/** The window after panning. Its centre stays within what `whole` shows. */
function moved(window: MapWindow, pixels: PlanePoint, whole: MapWindow, size: Size): MapWindow {
  const { middle, metresPerPixel } = window;
  const reach = (length: number) => (length / 2) * whole.metresPerPixel;
  return {
    metresPerPixel,
    middle: {
      x: clamp(middle.x - pixels.x * metresPerPixel, whole.middle.x, reach(size.width)),
      y: clamp(middle.y - pixels.y * metresPerPixel, whole.middle.y, reach(size.height)),
    },
  };
}

/** The window after zooming by `factor`, with the point at `at` in place. */
function zoomed(window: MapWindow, factor: number, at: PlanePoint, whole: MapWindow, size: Size): MapWindow {
  const wanted = window.metresPerPixel / factor;
  const metresPerPixel = Math.min(Math.max(wanted, closest), whole.metresPerPixel * 2);
  const fixed = toPlane(window, size, at);
  const middle = {
    x: fixed.x - (at.x - size.width / 2) * metresPerPixel,
    y: fixed.y - (at.y - size.height / 2) * metresPerPixel,
  };
  return moved({ middle, metresPerPixel }, { x: 0, y: 0 }, whole, size);
}

function extremes(values: readonly number[]): readonly [number, number] {
  return values.length === 0 ? [0, 0] : [Math.min(...values), Math.max(...values)];
}

function clamp(value: number, around: number, reach: number): number {
  return Math.min(Math.max(value, around - reach), around + reach);
}

/** The size of an element in pixels. */
export function useSize(element: RefObject<Element | null>): Size {
  const [size, setSize] = useState<Size>({ width: 640, height: 400 });
  // This runs before the browser paints, so that the map is drawn in its final size at once.
  useLayoutEffect(() => {
    const node = element.current;
    if (node === null) return;
    const read = () => {
      const { clientWidth: width, clientHeight: height } = node;
      setSize((known) => (known.width === width && known.height === height ? known : { width, height }));
    };
    read();
    const observer = new ResizeObserver(read);
    observer.observe(node);
    return () => observer.disconnect();
  }, []);
  return size;
}

/**
 * The window of a map, and functions that change it. Until the reader moves it, and again when `key` changes, it shows
 * `first`, or all points if that is null.
 */
export function useWindow(points: readonly PlanePoint[], first: readonly PlanePoint[] | null, key: string, size: Size) {
  const whole = useMemo(() => windowAround(points, size), [key, points, size]);
  const [set, setSet] = useState<{ readonly key: string; readonly window: MapWindow } | null>(null);
  const window = set?.key === key ? set.window : first ? windowAround(first, size) : whole;
  // Several movements may happen before the next drawing.
  const latest = useRef(window);
  latest.current = window;
  const change = (next: MapWindow) => {
    latest.current = next;
    setSet({ key, window: next });
  };
  return {
    window,
    move: (pixels: PlanePoint) => change(moved(latest.current, pixels, whole, size)),
    zoom: (factor: number, at: PlanePoint = { x: size.width / 2, y: size.height / 2 }) =>
      change(zoomed(latest.current, factor, at, whole, size)),
    showAll: () => change(whole),
    /** Zooms in on points as far as possible. */
    showOnly: (points: readonly PlanePoint[]) =>
      change(moved(windowAround(points, size, closest), { x: 0, y: 0 }, whole, size)),
  };
}
