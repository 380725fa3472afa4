import { keepHistoryValues, keepValue, numberFrom, takeKeptValue } from './history-values.ts';

/** Milliseconds in which a view that is loaded must have become as tall as it was, for the reader to come back to where they were. */
const patience = 3000;

/** Where the reader was in the step of the browser's history that is shown, until they are there again; null where they have moved. */
let wanted: number | null = null;

/** Keeps how far each step of the browser's history was scrolled. The browser's own way is for pages that are whole at once. */
export function keepScrolling(): void {
  const read = () => {
    wanted = numberFrom(takeKeptValue('y'), 0);
  };
  history.scrollRestoration = 'manual';
  keepHistoryValues();
  read();
  addEventListener('popstate', read);
  addEventListener('scroll', () => {
    if (wanted === null) keepValue('y', scrollY);
  });
  for (const kind of ['wheel', 'touchmove', 'keydown']) {
    addEventListener(kind, () => {
      wanted = null;
    });
  }
}

/** Leads a reader who comes back to where they were, once the view is as tall as it was. Returns what ends the wait. */
export function comeBack(): (() => void) | undefined {
  if (wanted === null) return undefined;
  const look = () => {
    if (wanted !== null && document.documentElement.scrollHeight - innerHeight >= wanted) {
      scrollTo(0, wanted);
      wanted = null;
    }
    if (wanted === null) stop();
  };
  const giveUp = () => {
    if (document.querySelector('.loading') !== null) {
      timer = setTimeout(giveUp, patience);
      return;
    }
    wanted = null;
    stop();
  };
  const changes = new MutationObserver(look);
  let timer = setTimeout(giveUp, patience);
  const stop = () => {
    changes.disconnect();
    clearTimeout(timer);
  };
  changes.observe(document, { childList: true, characterData: true, subtree: true });
  look();
  return stop;
}
