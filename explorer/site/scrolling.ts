import { keepHistoryValues, keepValue, numberFrom, takeKeptValue } from './history-values.ts';

/** Milliseconds that a loaded view has to grow as tall as it was, so that readers return to where they were. */
const patience = 3000;

/** The space of rows that a table draws a moment later. They may be taller. */
const laterRows = '.scrolled:not(.long) .gap';

/** The scroll position to restore in the current step; null once it is restored or the reader has scrolled. */
let wanted: number | null = null;

/**
 * Keeps the scroll position of every step of the browser's history. The browser's own way needs documents that are
 * complete at once.
 */
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

/** Restores the scroll position once the view is as tall as it was. Returns a function that stops waiting. */
export function comeBack(): (() => void) | undefined {
  if (wanted === null) return undefined;
  const look = () => {
    if (wanted !== null && document.documentElement.scrollHeight - innerHeight >= wanted) {
      scrollTo(0, wanted);
      if (document.querySelector(laterRows) === null) wanted = null;
    }
    if (wanted === null) stop();
  };
  const giveUp = () => {
    if (document.querySelector(`.loading, ${laterRows}`) !== null) {
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
