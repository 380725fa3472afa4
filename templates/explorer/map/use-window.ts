import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type MapWindow, moved, type Size, windowAround, zoomed } from './map-window.ts';
import type { PlanePoint } from './projection.ts';

/** The size of an element in pixels. */
export function useSize(element: RefObject<Element | null>): Size {
  const [size, setSize] = useState<Size>({ width: 640, height: 400 });
  useEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return size;
}

/**
 * The window of a map, and what moves it. Until the reader moves it, and again when `key` changes, it shows `first`, or all
 * points where that is null.
 */
export function useWindow(points: readonly PlanePoint[], first: readonly PlanePoint[] | null, key: string, size: Size) {
  const whole = useMemo(() => windowAround(points, size), [key, points, size]);
  const [set, setSet] = useState<{ readonly key: string; readonly window: MapWindow } | null>(null);
  const window = set?.key === key ? set.window : first ? windowAround(first, size) : whole;
  // Several movements may come before the next drawing.
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
  };
}
