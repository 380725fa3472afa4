import { useMemo, useState } from 'preact/hooks';
import { Layout } from './layout.tsx';
import { ShownView, type Views } from './shown-view.tsx';
import { useViewAddress } from './site/router.ts';
import { type Session, SessionContext } from './site/session.ts';

/** The explorer: shows the view that the address names. */
export function App({ opened, views }: { readonly opened: Omit<Session, 'noteChange'>; readonly views: Views }) {
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
