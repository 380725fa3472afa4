import { Instant } from '../parts/instant.tsx';
import { useLoaded, useSession } from '../site/session.ts';

/**
 * Says that a link was made from another publication than the one shown. `revision`: the link's; empty if it has none.
 */
export function MadeFrom({ revision }: { readonly revision: string }) {
  const { metadata } = useSession();
  const isOther = revision !== '' && revision !== metadata.data.publication.revision;
  const publications = useLoaded(isOther ? 'publications' : null, (site, signal) => site.publications({ signal }));
  if (!isOther || publications.state === 'loading') return null;
  const found = publications.value?.data.find((publication) => publication.revision === revision);
  return (
    <p class="note" role="status">
      This link was made from{' '}
      {found ? (
        <>
          publication {found.sequence} of <Instant at={found.published_at} />
        </>
      ) : (
        'an earlier publication'
      )}
      ; reports may have changed since.
    </p>
  );
}
