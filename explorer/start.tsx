import { render } from 'preact';
import { openSite } from '../client/open-site.ts';
import { App } from './app/app.tsx';
import { parseHash } from './app/router.ts';
import { keepScrolling } from './app/scrolling.ts';
import type { Session } from './app/session.ts';
import { Views } from './app/shown-view.tsx';
import { showProfile } from './app/site-profile.ts';
import { views as loads } from './app/views.ts';
import { watchPrinting } from './components/printing.ts';
import { Failed, Loading } from './components/states.tsx';
import { fetchUnlessAway, watchConnection } from './offline/connection.ts';
import { followTrip } from './trip/own-trip.ts';

/** Milliseconds after which the page shows what it has so far. Until then it waits, as a slow phone takes a tenth of a second to draw a view twice. */
const patience = 1000;

/** Shows the page once its first view is whole. The code of others is asked for when a link to them is pointed at. */
async function start(root: HTMLElement): Promise<void> {
  const views = new Views(loads);
  for (const kind of ['pointerover', 'focusin']) {
    addEventListener(kind, ({ target }) => {
      const link = target instanceof Element ? target.closest('a[href^="#/"]')?.getAttribute('href') : null;
      // A view that does not come is asked for again when it is to be shown.
      if (link) views.load(parseHash(link).view).catch(() => {});
    });
  }
  keepScrolling();
  watchPrinting();
  watchConnection();
  followTrip();
  const show = () => document.body.prepend(root);
  const waiting = setTimeout(show, patience);
  // Outside the document nothing is laid out.
  root.remove();
  const open = async () => {
    render(<Loading what="the publication" />, root);
    try {
      const [opened] = await Promise.all([openPublication(), views.load(parseHash(location.hash).view)]);
      render(<App opened={opened} views={views} />, root);
      await untilWhole(root);
      keepWhenIdle(opened);
    } catch (error) {
      render(<Failed error={error as Error} onRetry={open} />, root);
    }
  };
  await open();
  clearTimeout(waiting);
  if (!root.isConnected) show();
}

/** Resolves when an element says nothing of loading any more. */
function untilWhole(element: HTMLElement): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (element.querySelector('.loading') !== null) return;
      changes.disconnect();
      resolve();
    };
    const changes = new MutationObserver(look);
    changes.observe(element, { childList: true, subtree: true });
    look();
  });
}

/** Keeps what the page needs without a connection, if it names a worker. A page without a secure context cannot have one. */
function keepWhenIdle({ site, metadata }: Awaited<ReturnType<typeof openPublication>>): void {
  if (!('serviceWorker' in navigator) || document.querySelector('meta[name="shelfpress-worker"]') === null) return;
  const keep = async () => {
    const { keepOffline } = await import('./offline/keep-offline.ts');
    await keepOffline(site, metadata.data.counts.products);
  };
  // What could not be kept this time is kept the next time.
  const start = () => void keep().catch(() => {});
  // A busy page may not be idle for long.
  if ('requestIdleCallback' in window) requestIdleCallback(start, { timeout: 5 * patience });
  else setTimeout(start, patience);
}

/** Opens the site at one publication, which holds for the whole page. */
async function openPublication(): Promise<Omit<Session, 'noteChange'>> {
  const site = await openSite(new URL('.', document.baseURI), { pinned: true, fetch: fetchUnlessAway });
  showProfile(site.opened.data.service.profile);
  return { site, metadata: site.opened };
}

const root = document.getElementById('explorer');
if (root !== null) void start(root);
