const signals = ['SIGTERM', 'SIGINT'] as const;

/** npm and tsx pass on a signal that the terminal gave to every process already: the two are one wish. */
const echoMs = 500;

/** Calls `stop` at the first signal to end, and `abort` at another one: somebody has no more patience. */
export function onStopSignals({ stop, abort }: { readonly stop: () => void; readonly abort: () => void }): void {
  let stoppedAt: number | null = null;
  const listen = () => {
    if (stoppedAt === null) {
      stoppedAt = performance.now();
      stop();
    } else if (performance.now() - stoppedAt > echoMs) abort();
  };
  for (const signal of signals) process.on(signal, listen);
}
