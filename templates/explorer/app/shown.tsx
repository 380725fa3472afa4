import { useEffect, useState } from 'preact/hooks';
import { Failed, Loading } from '../components/states.tsx';
import type { Place, View } from './router.ts';
import { views } from './views.ts';

/** The view of a place. Its code is loaded when it is first shown. */
export function Shown({ view, argument, query }: Place) {
  const known = Object.hasOwn(views, view) ? views[view] : undefined;
  const [loaded, setLoaded] = useState<{ readonly view: string; readonly is: View | Error } | null>(null);
  useEffect(() => {
    if (known === undefined) return;
    known().then(
      (component) => setLoaded({ view, is: component }),
      (error: Error) => setLoaded({ view, is: error }),
    );
  }, [view]);
  if (known === undefined) return <Failed error={new Error(`This page has no view called “${view}”.`)} />;
  if (loaded === null || loaded.view !== view) return <Loading what="the view" />;
  if (loaded.is instanceof Error) return <Failed error={loaded.is} />;
  const Component = loaded.is;
  return <Component key={`${view}/${argument}`} argument={argument} query={query} />;
}
