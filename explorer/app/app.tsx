import { useMemo, useState } from 'preact/hooks';
import { Layout } from './layout.tsx';
import { usePlace } from './router.ts';
import { type Session, SessionContext } from './session.ts';
import { Shown, type Views } from './shown-view.tsx';

/** The page: shows the view that its address names. */
export function App({ opened, views }: { readonly opened: Omit<Session, 'noteChange'>; readonly views: Views }) {
  const place = usePlace();
  const [hasChanged, setHasChanged] = useState(false);
  const session = useMemo(() => ({ ...opened, noteChange: () => setHasChanged(true) }), [opened]);
  return (
    <SessionContext.Provider value={session}>
      <Layout hasChanged={hasChanged} view={place.view}>
        <Shown {...place} views={views} />
      </Layout>
    </SessionContext.Provider>
  );
}
