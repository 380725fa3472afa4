import { useLayoutEffect, useState } from 'preact/hooks';
import { skusIn } from '../products/asked-skus.ts';
import { mostProducts } from './sku-lists.ts';

/* The reader's own trip: SKUs in the order in which they were added. The device keeps it once there is one. */

/** The trip as this page knows it; null before it is asked for. */
let known: readonly string[] | null = null;
/** Whether the device takes what is written. */
let isWritable = true;
const listeners = new Set<() => void>();

/** Other sites may be below the same host. */
const key = () => `trip ${new URL('.', document.baseURI).pathname}`;

/** What other tabs do to the trip is followed, also what they did while the browser kept this page aside. */
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

/** The reader's trip, drawn again whenever it changes. */
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

/** Whether the trip outlives this page. */
export function isTripKept(): boolean {
  return isWritable && deviceStorage() !== null;
}

function change(next: (skus: readonly string[]) => readonly string[]): void {
  // Another tab may have changed it a moment ago.
  const skus = next(kept() ?? ownTrip());
  keep(skus);
  show(skus);
}

function show(skus: readonly string[]): void {
  known = skus;
  for (const listener of listeners) listener();
}

/** What the device keeps; null where it keeps nothing for this site. */
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
    // The storage is full, or the browser refuses: from here on the trip is that of the page.
    if (!(error instanceof DOMException)) throw error;
    isWritable = false;
  }
}

/** The browser's storage; null where the reader or the browser forbids it. */
function deviceStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}
