import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Milliseconds until something looks whether it is in sight, and then until it counts as seen, so that scrolling past asks for nothing. */
const pauseMs = 250;

/** Whether an element has been in sight for a moment since it shows what `key` names. */
export function useInSight(place: RefObject<Element | null>, key: string): boolean {
  const [seen, setSeen] = useState<string | null>(null);
  useEffect(() => {
    const watch = new IntersectionObserver(([entry]) => {
      clearTimeout(timer);
      if (entry?.isIntersecting) timer = setTimeout(() => setSeen(key), pauseMs);
    });
    let timer = setTimeout(() => place.current && watch.observe(place.current), pauseMs);
    return () => {
      clearTimeout(timer);
      watch.disconnect();
    };
  }, [key]);
  return seen === key;
}
