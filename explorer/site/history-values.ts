/** Milliseconds without another value before the values are written. Browsers limit how often a step may change. */
const pauseMs = 100;

/**
 * Values that the current step of the browser's history had kept when the reader returned to it, until each is taken.
 */
let found = new Map<string, unknown>();
/** Values that are not written yet. */
const fresh = new Map<string, unknown>();
let timer: ReturnType<typeof setTimeout> | undefined;
let step = 0;

/** Makes each step of the browser's history keep values by name, such as how far a table was scrolled. */
export function keepHistoryValues(): void {
  const read = () => {
    // Unwritten values belong to the step that the reader left.
    clearTimeout(timer);
    fresh.clear();
    found = new Map(Object.entries((history.state ?? {}) as Readonly<Record<string, unknown>>));
  };
  read();
  addEventListener('popstate', read);
  addEventListener('hashchange', ({ isTrusted }) => {
    // The explorer itself dispatches this event when only the query of the step changes.
    if (isTrusted) step += 1;
  });
  // A link may leave the step before the pause is over.
  addEventListener('click', write, { capture: true });
}

/** Counts the steps that were shown since the explorer was opened. */
export function currentHistoryStep(): number {
  return step;
}

/** Keeps a value in the current step. */
export function keepValue(name: string, value: unknown): void {
  fresh.set(name, value);
  clearTimeout(timer);
  timer = setTimeout(write, pauseMs);
}

function write(): void {
  clearTimeout(timer);
  if (fresh.size === 0) return;
  history.replaceState({ ...history.state, ...Object.fromEntries(fresh) }, '');
  fresh.clear();
}

/** A value kept in this step; undefined if there is none, or if it was taken. */
export function keptValue(name: string): unknown {
  return found.get(name);
}

/** The same value, but only once: a view that is shown again in the same step starts at the top. */
export function takeKeptValue(name: string): unknown {
  const value = found.get(name);
  found.delete(name);
  return value;
}

/** Forgets the kept values when the reader changes the query of a step, because old positions mean nothing then. */
export function dropKeptValues(): void {
  found.clear();
}

/** The value if it is a number of at least `least`; otherwise null. */
export function numberFrom(value: unknown, least: number): number | null {
  return typeof value === 'number' && value >= least ? value : null;
}
