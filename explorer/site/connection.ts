import { useLayoutEffect, useState } from 'preact/hooks';
import { AwayError } from '../../client/errors.ts';

/** Whether the worker had no connection at its last request. */
let isAway = false;
let isAsking = false;
const listeners = new Set<() => void>();

/** Listens to what the worker says about the connection. */
export function watchConnection(): void {
  navigator.serviceWorker?.addEventListener('message', ({ data }) => {
    if (typeof data?.isAway === 'boolean') note(data.isAway);
    // The device may have a network all the same, for example if it has just changed to another one. No event says so.
    if (navigator.onLine) void askAgain();
  });
  addEventListener('online', () => void askAgain());
}

/** Milliseconds before the second attempt. The network may need a moment after the device reports it. */
const firstWait = 500;

/** Makes the worker find out whether the host can be reached again, by requests that no copy answers. */
async function askAgain(): Promise<void> {
  if (isAsking) return;
  isAsking = true;
  for (let wait = firstWait; isAway && wait <= 64 * firstWait; wait *= 2) {
    await fetch(new URL('current.json', document.baseURI), { cache: 'no-cache' }).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
  isAsking = false;
}

/** Whether there is no connection, so that everything shown comes from the device. */
export function useAway(): boolean {
  const [shown, setShown] = useState(isAway);
  useLayoutEffect(() => {
    const read = () => setShown(isAway);
    read();
    listeners.add(read);
    return () => {
      listeners.delete(read);
    };
  }, []);
  return shown;
}

/** `fetch` for the client. Queries have no copies on the device, so they are not sent without a connection. */
export function fetchUnlessAway(url: string, init: object): Promise<Response> {
  const isQuestion = /\?(?!cursor=[^&]*$)/.test(url);
  return isAway && isQuestion ? Promise.reject(new AwayError(url, 'no connection')) : fetch(url, init);
}

function note(now: boolean): void {
  isAway = now;
  for (const listener of listeners) listener();
}
