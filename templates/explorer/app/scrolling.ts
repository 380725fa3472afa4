/** Milliseconds in which a view must have become as tall as it was, for the reader to come back to where they were. */
const patience = 3000;
/** Milliseconds after the last movement before the place is kept. */
const pauseMs = 100;

/** Where the reader was in the step of the browser's history that is shown, until they are there again; null where they have moved. */
let wanted: number | null = null;

/** Keeps how far each step of the browser's history was scrolled. The browser's own way is for pages that are whole at once. */
export function keepScrolling(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const read = () => {
    clearTimeout(timer);
    wanted = (history.state as { readonly y?: number } | null)?.y ?? null;
  };
  const keep = () => {
    if (wanted === null) history.replaceState({ y: scrollY }, '');
  };
  history.scrollRestoration = 'manual';
  read();
  addEventListener('popstate', read);
  addEventListener('scroll', () => {
    clearTimeout(timer);
    timer = setTimeout(keep, pauseMs);
  });
  for (const kind of ['wheel', 'touchmove', 'keydown']) {
    addEventListener(kind, () => {
      wanted = null;
    });
  }
}

/** Shows a view that has just been made from its top, or, where the reader comes back, from where they were. Returns what ends the wait. */
export function showFromStart(): (() => void) | undefined {
  scrollTo(0, 0);
  if (wanted === null) return undefined;
  const look = () => {
    if (wanted !== null && document.documentElement.scrollHeight - innerHeight >= wanted) {
      scrollTo(0, wanted);
      wanted = null;
    }
    if (wanted === null) stop();
  };
  const changes = new MutationObserver(look);
  const timer = setTimeout(() => {
    wanted = null;
    stop();
  }, patience);
  const stop = () => {
    changes.disconnect();
    clearTimeout(timer);
  };
  changes.observe(document, { childList: true, subtree: true });
  look();
  return stop;
}
