import { useLayoutEffect, useState } from 'preact/hooks';
import { ErrorBox, Failed, Loading } from './parts/states.tsx';
import { ViewFrame } from './parts/view-frame.tsx';
import { hrefFor, type View, type ViewAddress } from './site/router.ts';

/** Loads the code of a view. */
export type LoadView = () => Promise<View>;

/** The loaded views, and how to load the others. */
export class Views {
  readonly #loads: Readonly<Record<string, LoadView>>;
  readonly #loaded = new Map<string, View>();

  constructor(loads: Readonly<Record<string, LoadView>>) {
    this.#loads = loads;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#loads, name);
  }

  get(name: string): View | undefined {
    return this.#loaded.get(name);
  }

  /** Rejects if the code does not load. The next call tries again. */
  async load(name: string): Promise<void> {
    const view = this.has(name) ? await this.#loads[name]?.() : undefined;
    if (view) this.#loaded.set(name, view);
  }
}

/** The view at an address. */
export function ShownView({ view, argument, query, views }: ViewAddress & { readonly views: Views }) {
  const [failed, setFailed] = useState<{ readonly view: string; readonly error: Error | null } | null>(null);
  const View = views.get(view);
  const load = () => {
    const say = (error: Error | null) => setFailed({ view, error });
    setFailed(null);
    views.load(view).then(() => say(null), say);
  };
  useLayoutEffect(() => {
    if (View === undefined) load();
  }, [view]);
  if (View !== undefined) return <View key={`${view}/${argument}`} argument={argument} query={query} />;
  if (failed?.view === view && failed.error) return <Failed error={failed.error} onRetry={load} />;
  if (views.has(view)) return <Loading what="this view" />;
  return (
    <ViewFrame key={`${view}/${argument}?${query}`} title="Not found">
      <ErrorBox>
        <p>There is no view called “{view}”.</p>
      </ErrorBox>
      <p>
        <a href={hrefFor('home')}>Home</a> has links to every view.
      </p>
    </ViewFrame>
  );
}
