import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { closest, type MapWindow, moved, type Size, windowAround, zoomed } from './map-window.ts';
import type { PlanePoint } from './projection.ts';

/** The size of an element in pixels. */
export function useSize(element: RefObject<Element | null>): Size {
  const [size, setSize] = useState<Size>({ width: 640, height: 400 });
  // Before the browser paints, so that the map is drawn in its final size at once.
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
