import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** Milliseconds without a new element before all are watched, and then without a change of what is in sight before that is acted on. */
const pauseMs = 250;
/** Acts that run at the same time. The others wait, so that a slow phone can draw in between. */
const atOnce = 3;

type Act = () => Promise<void>;

/** What is to be done once each element is in sight. */
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
 * Runs an act once an element stays in sight. Elements share one observer, which rows that only scroll past never reach. Returns what
 * forgets the element.
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

/** A function that calls another one after a pause without calls. It has one timer, however often it is called. */
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

/** Whether an element stayed in sight since it shows what `key` names. */
export function useInSight(element: RefObject<Element | null>, key: string): boolean {
  const [seen, setSeen] = useState<string | null>(null);
  useLayoutEffect(
    () => (element.current === null ? undefined : onceInSight(element.current, async () => setSeen(key))),
    [key],
  );
  return seen === key;
}
