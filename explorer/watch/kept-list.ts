import { useEffect, useState } from 'preact/hooks';
import { nothingWatched, type WatchList, watchKinds } from './watch-list.ts';

/* The list on the reader's device, which has one only if the reader asks for it. A page has a list of its own until it is left. */

/** A publication as a visit saw it. */
export type Visit = { readonly sequence: number; readonly published_at: string };

/** `seen`: the publication of the newest visit; `before`: that of the visit to another one before it. */
export type Kept = { readonly list: WatchList; readonly seen: Visit; readonly before: Visit | null };

const changes = new EventTarget();
let ofPage: WatchList = nothingWatched;

/** Sites of one host have lists of their own. */
function name(): string {
  return `shelfpress-watch ${new URL('.', document.baseURI).pathname}`;
}

/** What the device has; null where it has nothing of this page, or lets pages keep nothing. */
export function keptList(): Kept | null {
  const text = storedText();
  return text === null ? null : parseKept(text);
}

function storedText(): string | null {
  try {
    return localStorage.getItem(name());
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

/** Reads what was kept. The reader may have changed it. */
export function parseKept(text: string): Kept | null {
  const kept = parsed(text) as Partial<Kept> | null;
  if (typeof kept !== 'object' || kept === null || !isVisit(kept.seen)) return null;
  const { list, seen, before } = kept;
  const hasLists = watchKinds.every((kind) => {
    const codes: unknown = list?.[kind];
    return Array.isArray(codes) && codes.every((code) => typeof code === 'string');
  });
  return list && hasLists ? { list, seen, before: isVisit(before) ? before : null } : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isVisit(value: unknown): value is Visit {
  const visit = value as Partial<Visit> | null | undefined;
  return typeof visit?.sequence === 'number' && !Number.isNaN(Date.parse(visit.published_at ?? ''));
}

/** Keeps a list on the device. Throws a DOMException where the browser does not let it. */
export function keepList(list: WatchList, seen: Visit): void {
  write({ list, seen, before: null });
}

/** Removes everything that the device has. The page still has the list. */
export function forgetList(): void {
  ofPage = keptList()?.list ?? ofPage;
  localStorage.removeItem(name());
  changes.dispatchEvent(new Event('change'));
}

/** Sets the list that a star changes: that of the device, else that of the page. */
export function setCurrentList(list: WatchList): void {
  const kept = keptList();
  if (kept !== null) write({ ...kept, list });
  else {
    ofPage = list;
    changes.dispatchEvent(new Event('change'));
  }
}

/** The kept list after a visit to a publication. A site that started over has no earlier visit. */
export function visited(kept: Kept, now: Visit): Kept {
  if (now.sequence === kept.seen.sequence) return kept;
  return { ...kept, seen: now, before: now.sequence > kept.seen.sequence ? kept.seen : null };
}

/** Notes a visit on a device that has a list. */
export function noteVisit(now: Visit): void {
  const kept = keptList();
  const next = kept && visited(kept, now);
  if (next !== null && next !== kept) write(next);
}

function write(kept: Kept): void {
  localStorage.setItem(name(), JSON.stringify(kept));
  changes.dispatchEvent(new Event('change'));
}

/** The list that a star changes and what is kept, whenever that changes, also in another window. */
export function useLists(): { readonly list: WatchList; readonly kept: Kept | null } {
  const [lists, setLists] = useState(readLists);
  useEffect(() => {
    const read = () => setLists(readLists);
    changes.addEventListener('change', read);
    addEventListener('storage', read);
    return () => {
      changes.removeEventListener('change', read);
      removeEventListener('storage', read);
    };
  }, []);
  return lists;
}

function readLists() {
  const kept = keptList();
  return { kept, list: kept?.list ?? ofPage };
}
