import { render } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { openSite } from '../client/open-site.ts';
import { Layout } from './layout.tsx';
import { watchPrinting } from './parts/printing.ts';
import { Failed, Loading } from './parts/states.tsx';
import { followTrip, ownTrip } from './products/own-trip.ts';
import { ShownView, Views } from './shown-view.tsx';
import { fetchUnlessAway, watchConnection } from './site/connection.ts';
import { parseHash, useViewAddress } from './site/router.ts';
import { keepScrolling } from './site/scrolling.ts';
import { type Session, SessionContext } from './site/session.ts';
import { showProfile } from './site/site-profile.ts';
import { views as loads } from './views.ts';

/**
 * Milliseconds after which the explorer shows what it has so far. Until then it waits, because a slow phone takes a
 * tenth of a second to draw a view twice.
 */
const patience = 1000;

/**
 * Shows the explorer once its first view is complete. Pointing at a link, or focusing it, loads the code of its view.
 */
async function start(root: HTMLElement): Promise<void> {
  const views = new Views(loads);
  for (const kind of ['pointerover', 'focusin']) {
    addEventListener(kind, ({ target }) => {
      const link = target instanceof Element ? target.closest('a[href^="#/"]')?.getAttribute('href') : null;
      // If this fails, the view is requested again when it is shown.
      if (link) views.load(parseHash(link).view).catch(() => {});
    });
  }
  keepScrolling();
  watchPrinting();
  watchConnection();
  followTrip();
  const show = () => document.body.prepend(root);
  const waiting = setTimeout(show, patience);
  // The browser lays out nothing outside the document.
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

/** Resolves when nothing in an element is loading any more. */
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

/** Keeps what the explorer needs offline, if the document names a worker. Workers need a secure context. */
function keepWhenIdle({ site, metadata }: Awaited<ReturnType<typeof openPublication>>): void {
  if (!('serviceWorker' in navigator) || document.querySelector('meta[name="shelfpress-worker"]') === null) return;
  const wasSeen = navigator.serviceWorker.controller !== null;
  const keep = async () => {
    const { keepOffline } = await import('./site/keep-offline.ts');
    await keepOffline(site, metadata.data.counts.products, wasSeen, ownTrip());
  };
  // A request fails when a device changes its network. What is missing is requested again, ever less often.
  const start = (wait: number) =>
    void keep().catch(() => new Promise((resolve) => setTimeout(resolve, wait)).then(() => start(4 * wait)));
  // A busy browser may not become idle for a long time.
  if ('requestIdleCallback' in window) requestIdleCallback(() => start(5 * patience), { timeout: 5 * patience });
  else setTimeout(start, patience, 5 * patience);
}

/** Opens the site at one publication, which stays the same until the explorer is closed. */
async function openPublication(): Promise<Omit<Session, 'noteChange'>> {
  const site = await openSite(new URL('.', document.baseURI), { pinned: true, fetch: fetchUnlessAway });
  showProfile(site.opened.data.service.profile);
  return { site, metadata: site.opened };
}

const root = document.getElementById('explorer');
if (root !== null) void start(root);

/** The explorer: shows the view that the address names. */
function App({ opened, views }: { readonly opened: Omit<Session, 'noteChange'>; readonly views: Views }) {
  const address = useViewAddress();
  const [hasChanged, setHasChanged] = useState(false);
  const session = useMemo(() => ({ ...opened, noteChange: () => setHasChanged(true) }), [opened]);
  return (
    <SessionContext.Provider value={session}>
      <Layout hasChanged={hasChanged} view={address.view}>
        <ShownView {...address} views={views} />
      </Layout>
    </SessionContext.Provider>
  );
}
