import { useSession } from '../site/session.ts';
import { Instant } from './instant.tsx';
import { LaterDetails } from './later-details.tsx';
import { ProofCheck } from './proof-check.tsx';

/** Where a number comes from. Null means that a time is not known. */
export type Origin = {
  /** What the number is, such as `Price`. */
  readonly label: string;
  /** When the agency says it last changed the number. */
  readonly updated: string | null;
  readonly retrieved: string | null;
  /** When a publication first contained it; null for the current one. */
  readonly published: string | null;
  /** The document with the number. */
  readonly url: string;
};

/**
 * Says where the numbers above come from: when they were checked and published, and in which document, with a check of
 * its hash.
 */
export function Receipts({ origins }: { readonly origins: readonly Origin[] }) {
  const { publication } = useSession().metadata.data;
  return (
    <LaterDetails class="receipts" summary="Where these numbers come from">
      <dl>
        {origins.map(({ label, updated, retrieved, published, url }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {retrieved === null ? (
                'Never checked'
              ) : (
                <>
                  Checked <Instant at={retrieved} />
                </>
              )}
              , published <Instant at={published ?? publication.published_at} />
              {updated !== null && (
                <>
                  , updated by the agency <Instant at={updated} />
                </>
              )}
              . <a href={url}>Document</a> <ProofCheck label={label} url={url} />
            </dd>
          </div>
        ))}
      </dl>
    </LaterDetails>
  );
}
