import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/**
 * Milliseconds to wait for more new elements before observing them, and for scrolling to stop before running actions.
 */
const pauseMs = 250;
/** Actions that run at the same time. The others wait, so that a slow phone can draw in between. */
const atOnce = 3;

type Act = () => Promise<void>;

/** The action for each element once it is visible. */
const acts = new Map<Element, Act>();
const fresh = new Set<Element>();
const inSight = new Set<Element>();
let running = 0;

const afterFresh = paused(() => {
  for (const element of fresh) observer().observe(element);
  fresh.clear();
});
const afterMove = paused(runNext);

/**
 * Runs an action once an element stays visible. All elements share one observer, and rows that only scroll past never
 * reach it. Returns a function that forgets the element.
 */
export function onceInSight(element: Element, act: Act): () => void {
  acts.set(element, act);
  fresh.add(element);
  afterFresh();
  return () => forget(element);
}

function forget(element: Element): void {
  acts.delete(element);
  inSight.delete(element);
  if (!fresh.delete(element)) observer().unobserve(element);
}

function runNext(): void {
  for (const element of inSight) {
    if (running >= atOnce) return;
    const act = acts.get(element);
    forget(element);
    running += 1;
    void act?.().finally(() => {
      running -= 1;
      runNext();
    });
  }
}

let shared: IntersectionObserver | null = null;

function observer(): IntersectionObserver {
  shared ??= new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting && acts.has(target)) inSight.add(target);
      else inSight.delete(target);
    }
    afterMove();
  });
  return shared;
}

/** Debounces a function with a single timer, however often it is called. */
function paused(act: () => void): () => void {
  let isWaiting = false;
  let last = 0;
  const look = () => {
    const left = last + pauseMs - performance.now();
    isWaiting = left > 0;
    if (isWaiting) setTimeout(look, left);
    else act();
  };
  return () => {
    last = performance.now();
    if (!isWaiting) setTimeout(look, pauseMs);
    isWaiting = true;
  };
}

/** Whether an element has stayed visible since it started to show what `key` names. */
export function useInSight(element: RefObject<Element | null>, key: string): boolean {
  const [seen, setSeen] = useState<string | null>(null);
  useLayoutEffect(
    () => (element.current === null ? undefined : onceInSight(element.current, async () => setSeen(key))),
    [key],
  );
  return seen === key;
}
