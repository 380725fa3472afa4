import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { PlanePoint } from './projection.ts';

/** What a reader does with a pointer, in pixels from the top left corner of the map. */
export type Gestures = {
  readonly move: (pixels: PlanePoint) => void;
  readonly zoom: (factor: number, at: PlanePoint) => void;
  readonly click: (at: PlanePoint, target: Element) => void;
};

/** A pointer that moves less than this, in pixels, clicks instead of dragging. */
const dragStart = 5;

/**
 * Handles a map's pointers: drag, pinch, the wheel with Ctrl (which is also how a touchpad reports a pinch), and
 * clicks. One finger that moves up or down scrolls the window, so that a wide map does not trap it.
 */
export function useGestures(map: RefObject<SVGSVGElement | null>, gestures: Gestures): void {
  const latest = useRef(gestures);
  latest.current = gestures;
  useEffect(() => {
    const svg = map.current;
    if (svg === null) return;
    const pointers = new Map<number, PlanePoint>();
    let start: PlanePoint = { x: 0, y: 0 };
    let isDrag = false;
    const pointerPoint = ({ clientX, clientY }: MouseEvent): PlanePoint => {
      const { left, top } = svg.getBoundingClientRect();
      return { x: clientX - left, y: clientY - top };
    };
    const down = (event: PointerEvent) => {
      if (event.button !== 0) return;
      const point = pointerPoint(event);
      if (pointers.size === 0) {
        start = point;
        isDrag = false;
      }
      pointers.set(event.pointerId, point);
    };
    const move = (event: PointerEvent) => {
      const before = pointers.get(event.pointerId);
      if (before === undefined || pointers.size > 2) return;
      const now = pointerPoint(event);
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
      pointers.set(event.pointerId, now);
      const shift = { x: now.x - before.x, y: now.y - before.y };
      // A finger that moves up or down starts to scroll before the browser says so.
      const isSideways = event.pointerType === 'touch' && other === undefined;
      isDrag ||= distance(now, isSideways ? { x: start.x, y: now.y } : start) >= dragStart;
      if (!isDrag) return;
      // Not earlier, because a link under a captured pointer gets no click.
      if (!svg.hasPointerCapture(event.pointerId)) svg.setPointerCapture(event.pointerId);
      if (other === undefined) latest.current.move(shift);
      else {
        const factor = distance(now, other) / Math.max(1, distance(before, other));
        latest.current.move({ x: shift.x / 2, y: shift.y / 2 });
        latest.current.zoom(factor, { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
      }
    };
    const up = (event: PointerEvent) => pointers.delete(event.pointerId);
    const click = (event: MouseEvent) => {
      // A click from the keyboard has no position; the mark handles it.
      if (event.detail === 0) return;
      if (isDrag) event.preventDefault();
      else latest.current.click(pointerPoint(event), event.target as Element);
    };
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      latest.current.zoom(Math.exp(-Math.max(-50, Math.min(50, event.deltaY)) / 100), pointerPoint(event));
    };
    const touch = (event: TouchEvent) => {
      if (event.touches.length > 1) event.preventDefault();
    };
    const drag = (event: Event) => event.preventDefault();
    const listeners = {
      pointerdown: down,
      pointermove: move,
      pointerup: up,
      pointercancel: up,
      click,
      dragstart: drag,
    };
    for (const [name, listener] of Object.entries(listeners)) svg.addEventListener(name, listener as EventListener);
    svg.addEventListener('wheel', wheel, { passive: false });
    svg.addEventListener('touchmove', touch, { passive: false });
    return () => {
      for (const [name, listener] of Object.entries(listeners))
        svg.removeEventListener(name, listener as EventListener);
      svg.removeEventListener('wheel', wheel);
      svg.removeEventListener('touchmove', touch);
    };
  }, []);
}

function distance(a: PlanePoint, b: PlanePoint): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
