import { useEffect, useMemo, useState } from 'preact/hooks';
import { openSite } from '../../../client/open-site.ts';
import { Failed, Loading } from '../components/states.tsx';
import { Layout } from './layout.tsx';
import { usePlace } from './router.ts';
import { type Session, SessionContext } from './session.ts';
import { Shown } from './shown.tsx';

/** The page: opens the site that it belongs to, then shows the view that its address names. */
export function App() {
  const place = usePlace();
  const [opened, setOpened] = useState<Omit<Session, 'noteChange'> | Error | null>(null);
  const [hasChanged, setHasChanged] = useState(false);
  useEffect(() => {
    open().then(setOpened, setOpened);
  }, []);
  const session = useMemo(
    () => (opened === null || opened instanceof Error ? null : { ...opened, noteChange: () => setHasChanged(true) }),
    [opened],
  );
  if (opened instanceof Error) return <Failed error={opened} />;
  if (session === null) return <Loading what="the publication" />;
  return (
    <SessionContext.Provider value={session}>
      <Layout hasChanged={hasChanged} view={place.view}>
        <Shown {...place} />
      </Layout>
    </SessionContext.Provider>
  );
}

async function open(): Promise<Omit<Session, 'noteChange'>> {
  const site = await openSite(new URL('.', document.baseURI), { pinned: true });
  return { site, metadata: await site.metadata() };
}
