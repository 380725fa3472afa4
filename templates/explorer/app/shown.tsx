import { Page } from '../components/page.tsx';
import { Failed } from '../components/states.tsx';
import { type Place, placeOf } from './router.ts';
import { views } from './views.ts';

/** The view of a place. */
export function Shown({ view, argument, query }: Place) {
  const View = Object.hasOwn(views, view) ? views[view] : undefined;
  if (View !== undefined) return <View key={`${view}/${argument}`} argument={argument} query={query} />;
  return (
    <Page key={`${view}/${argument}?${query}`} title="Not found">
      <Failed error={new Error(`This page has no view called “${view}”.`)} />
      <p>
        <a href={placeOf('home')}>Home</a> leads to all that it has.
      </p>
    </Page>
  );
}
