import { useLayoutEffect, useState } from 'preact/hooks';
import { skusIn } from './asked-skus.ts';

/* The reader's own trip: SKUs in the order in which they were added. The device keeps it unless it is empty. */

/** The trip as this tab knows it; null before it is first read. */
let known: readonly string[] | null = null;
/** Whether the device accepts writes. */
let isWritable = true;
const listeners = new Set<() => void>();

/** The name under which the browser stores the trip. It has the site's path, because the host may have other sites. */
const key = () => `trip ${new URL('.', document.baseURI).pathname}`;

/** Follows changes that other tabs make to the trip, including those made while the browser had suspended this tab. */
export function followTrip(): void {
  addEventListener('storage', (event) => {
    if (event.key === key() || event.key === null) show(kept() ?? []);
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) show(kept() ?? ownTrip());
  });
}

export function ownTrip(): readonly string[] {
  known ??= kept() ?? [];
  return known;
}

/** The reader's trip. Components that use it are drawn again when it changes. */
export function useOwnTrip(): readonly string[] {
  const [skus, setSkus] = useState(ownTrip);
  useLayoutEffect(() => {
    const read = () => setSkus(ownTrip());
    read();
    listeners.add(read);
    return () => {
      listeners.delete(read);
    };
  }, []);
  return skus;
}

/** Adds a product, if there is room. */
export function addToTrip(sku: string): void {
  change((skus) => (skus.includes(sku) || skus.length >= mostProducts ? skus : [...skus, sku]));
}

export function takeOffTrip(sku: string): void {
  change((skus) => skus.filter((other) => other !== sku));
}

export function replaceTrip(skus: readonly string[]): void {
  change(() => skus);
}

/** Whether the trip will still be there after this tab is closed. */
export function isTripKept(): boolean {
  return isWritable && deviceStorage() !== null;
}

function change(next: (skus: readonly string[]) => readonly string[]): void {
  // Another tab may just have changed it.
  const skus = next(kept() ?? ownTrip());
  keep(skus);
  show(skus);
}

function show(skus: readonly string[]): void {
  known = skus;
  for (const listener of listeners) listener();
}

/** The trip on the device; null if the device keeps nothing for this site. */
function kept(): readonly string[] | null {
  const storage = isWritable ? deviceStorage() : null;
  return storage && skusIn(storage.getItem(key()) ?? '', mostProducts);
}

/** An empty trip leaves nothing on the device. */
function keep(skus: readonly string[]): void {
  const storage = deviceStorage();
  if (storage === null) return;
  try {
    if (skus.length === 0) storage.removeItem(key());
    else storage.setItem(key(), skus.join());
  } catch (error) {
    // The storage is full or forbidden: from here on, only this tab has the trip.
    if (!(error instanceof DOMException)) throw error;
    isWritable = false;
  }
}

/** The browser's storage; null if the reader or the browser forbids it. */
function deviceStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

/** The most products that the API compares at once. */
export const mostProducts = 25;

/** Whether two lists have the same SKUs, in any order. Neither has duplicates. */
export function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((sku) => b.includes(sku));
}
