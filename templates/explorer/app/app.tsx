import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { openSite } from '../../../client/open-site.ts';
import { showProfile } from '../components/site-profile.ts';
import { Failed, Loading } from '../components/states.tsx';
import { Layout } from './layout.tsx';
import { usePlace } from './router.ts';
import { type Session, SessionContext } from './session.ts';
import { Shown } from './shown.tsx';

type Opened = Omit<Session, 'noteChange'>;

/** The page: shows the view that its address names once the site that it belongs to is opened. */
export function App({ opening }: { readonly opening: Promise<Opened> }) {
  const place = usePlace();
  const [opened, setOpened] = useState<Opened | Error | null>(null);
  const [hasChanged, setHasChanged] = useState(false);
  useLayoutEffect(() => {
    opening.then(setOpened, setOpened);
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

/** Opens the site at one publication, which holds for the whole page. */
export async function openPublication(): Promise<Opened> {
  const site = await openSite(new URL('.', document.baseURI), { pinned: true });
  showProfile(site.opened.data.service.profile);
  return { site, metadata: site.opened };
}
