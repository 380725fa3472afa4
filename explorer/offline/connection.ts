import { useLayoutEffect, useState } from 'preact/hooks';
import { AwayError } from '../../client/errors.ts';

/** Whether the worker had no connection when it was asked last. */
let isAway = false;
const listeners = new Set<() => void>();

/** Hears what the worker says of the connection. */
export function watchConnection(): void {
  navigator.serviceWorker?.addEventListener('message', ({ data }) => {
    if (typeof data?.isAway === 'boolean') note(data.isAway);
  });
  addEventListener('online', () => void askAgain());
}

/** Milliseconds between attempts at first. The network may need a moment after the device says that it is there. */
const firstWait = 500;

/** Has the worker find out, by requests that no copy answers, whether the host is there again. */
async function askAgain(): Promise<void> {
  for (let wait = firstWait; isAway && wait <= 64 * firstWait; wait *= 2) {
    await fetch(new URL('current.json', document.baseURI), { cache: 'no-cache' }).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/** Whether there is no connection, so that what is shown comes from the device. */
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

/** The browser's `fetch` for the client. Nothing on the device answers a question, so without a connection none is sent. */
export function fetchUnlessAway(url: string, init: object): Promise<Response> {
  const isQuestion = /\?(?!cursor=[^&]*$)/.test(url);
  return isAway && isQuestion ? Promise.reject(new AwayError(url, 'no connection')) : fetch(url, init);
}

function note(now: boolean): void {
  isAway = now;
  for (const listener of listeners) listener();
}
