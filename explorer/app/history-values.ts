/** Milliseconds without another value before the values are written. Browsers limit how often a step may change. */
const pauseMs = 100;

/** What the shown step of the browser's history kept before the reader came back to it, until it is taken. */
let found = new Map<string, unknown>();
/** Values that are not written yet. */
const fresh = new Map<string, unknown>();
let timer: ReturnType<typeof setTimeout> | undefined;
let step = 0;

/** Lets each step of the browser's history keep values by name, such as how far a table was scrolled. */
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
    // Another query of the same step is announced by the page itself.
    if (isTrusted) step += 1;
  });
  // A link may lead away before the pause is over.
  addEventListener('click', write, { capture: true });
}

/** A number for each step that is shown, from the beginning of the page. */
export function currentHistoryStep(): number {
  return step;
}

/** Keeps a value in the step that is shown. */
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

/** A value that the reader comes back to; undefined where there is none, or it was taken. */
export function keptValue(name: string): unknown {
  return found.get(name);
}

/** The same value, once only: a view that is shown again in the same step starts at its top. */
export function takeKeptValue(name: string): unknown {
  const value = found.get(name);
  found.delete(name);
  return value;
}

/** Called when the reader asks for something else in the same step, where places of before mean nothing. */
export function dropKeptValues(): void {
  found.clear();
}

/** A number that is at least `least`; null for anything else. */
export function numberFrom(value: unknown, least: number): number | null {
  return typeof value === 'number' && value >= least ? value : null;
}
