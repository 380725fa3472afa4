import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { Page } from '../components/page.tsx';
import { Failed, Loading } from '../components/states.tsx';
import { type Place, placeOf, type View } from './router.ts';
import { views } from './views.ts';

/** A view's code, or why it could not be loaded when the reader came to `address`. */
type LoadedView = { readonly view: string; readonly address: string; readonly is: View | Error };

/** The view of a place. Its code is loaded when it is first shown. If that fails, another address tries again. */
export function Shown({ view, argument, query }: Place) {
  const known = Object.hasOwn(views, view) ? views[view] : undefined;
  const [loaded, setLoaded] = useState<LoadedView | null>(null);
  const address = `${view}/${argument}?${query}`;
  const hasCode = loaded?.view === view && !(loaded.is instanceof Error);
  useLayoutEffect(() => {
    if (known === undefined || hasCode) return;
    let isAsked = true;
    const take = (is: View | Error) => {
      if (isAsked) setLoaded({ view, address, is });
    };
    known().then(take, take);
    return () => {
      isAsked = false;
    };
  }, [address]);
  if (known === undefined) {
    return (
      <NotShown key={address} title="Not found" error={new Error(`This page has no view called “${view}”.`)}>
        <a href={placeOf('home')}>Home</a> leads to all that it has.
      </NotShown>
    );
  }
  if (loaded === null || loaded.view !== view) return <Loading what="the view" />;
  if (loaded.is instanceof Error) {
    if (loaded.address !== address) return <Loading what="the view" />;
    return (
      <NotShown key={address} title="Not loaded" error={loaded.is}>
        <button type="button" onClick={() => location.reload()}>
          Reload the page
        </button>
      </NotShown>
    );
  }
  const Component = loaded.is;
  return <Component key={`${view}/${argument}`} argument={argument} query={query} />;
}

/** What stands in the place of a view, with a heading and the focus like one. `children`: what the reader can do. */
function NotShown({
  title,
  error,
  children,
}: {
  readonly title: string;
  readonly error: Error;
  readonly children: ComponentChildren;
}) {
  return (
    <Page title={title}>
      <Failed error={error} />
      <p>{children}</p>
    </Page>
  );
}
