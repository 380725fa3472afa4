import { useEffect, useState } from 'preact/hooks';
import { listSize, nothingWatched, type WatchList, watchKinds } from './watch-list.ts';

/*
 * The reader's list. The device keeps it from the first entry until the reader stops that. A list that came with a link
 * is only in this page, and so is every list if the browser keeps nothing for this site.
 */

/** The publication seen on a visit. */
export type Visit = { readonly sequence: number; readonly published_at: string };

/** `seen`: the publication seen on the latest visit; `before`: the previous publication that was seen. */
export type Kept = { readonly list: WatchList; readonly seen: Visit; readonly before: Visit | null };

const changes = new EventTarget();
let ofPage: WatchList = nothingWatched;

/** The name under which the browser stores the list. Each site on a host has its own. */
function name(): string {
  return `shelfpress-watch ${new URL('.', document.baseURI).pathname}`;
}

/** The list on the device; null if there is none, or if the browser forbids storage. */
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

/** Parses a kept list, which the reader may have edited. */
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

/** Removes everything from the device. This page still has the list. */
export function forgetList(): void {
  ofPage = keptList()?.list ?? ofPage;
  localStorage.removeItem(name());
  changes.dispatchEvent(new Event('change'));
}

/**
 * Changes the reader's list and keeps it on the device, if the browser allows that. An empty list leaves nothing there.
 * `now`: the publication that the reader sees.
 */
export function changeList(list: WatchList, now: Visit): void {
  const kept = keptList() ?? { seen: now, before: null };
  ofPage = list;
  try {
    if (listSize(list) === 0) localStorage.removeItem(name());
    else localStorage.setItem(name(), JSON.stringify({ ...kept, list }));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
  changes.dispatchEvent(new Event('change'));
}

/** Sets the list of this page, which stars add to unless the device has one. */
export function setPageList(list: WatchList): void {
  ofPage = list;
  changes.dispatchEvent(new Event('change'));
}

/** The kept list after a visit. A site that started over has no earlier visit. */
export function visited(kept: Kept, now: Visit): Kept {
  if (now.sequence === kept.seen.sequence) return kept;
  return { ...kept, seen: now, before: now.sequence > kept.seen.sequence ? kept.seen : null };
}

/** Records a visit, if the device has a list. */
export function noteVisit(now: Visit): void {
  const kept = keptList();
  const next = kept && visited(kept, now);
  if (next === null || next === kept) return;
  localStorage.setItem(name(), JSON.stringify(next));
  changes.dispatchEvent(new Event('change'));
}

/** The current list and what is kept, updated when either changes, also in another tab. */
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
