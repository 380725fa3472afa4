import { useState } from 'preact/hooks';
import type { RetainedPublication } from '../../contract/schemas/metadata.ts';
import { Failed, Loading } from '../parts/states.tsx';
import { dateText, instantText, zonedText } from '../parts/text.ts';
import { parseHash, replaceQuery } from '../site/router.ts';
import { type Loaded, useLoaded, useSession } from '../site/session.ts';

/**
 * The publication that a view shows; null for the newest. State `none`: the site has no publication from that day any
 * more, or the day is invalid.
 */
type AsOf = {
  readonly day: string;
  readonly state: 'newest' | 'loading' | 'earlier' | 'none' | 'failed';
  readonly publication: RetainedPublication | null;
  readonly publications: Loaded<readonly RetainedPublication[]>;
};

/** The publication that was the newest on the day given by `as_of` in the address. */
export function useAsOf(query: URLSearchParams): AsOf {
  const day = query.get('as_of') ?? '';
  const publications = useLoaded(
    day === '' ? null : 'publications',
    async (site, signal) => (await site.publications({ signal })).data,
  );
  if (day === '') return { day, state: 'newest', publication: null, publications };
  if (publications.value === null) {
    const state = publications.state === 'failed' ? 'failed' : 'loading';
    return { day, state, publication: null, publications };
  }
  const publication = publicationOn(publications.value, day);
  const state = publication === null ? 'none' : publication.current ? 'newest' : 'earlier';
  return { day, state, publication: state === 'earlier' ? publication : null, publications };
}

/** The newest publication up to a day in the site's time zone. */
function publicationOn(publications: readonly RetainedPublication[], day: string): RetainedPublication | null {
  if (!isDay(day)) return null;
  return publications
    .filter(({ published_at }) => zonedText(published_at).isoDay <= day)
    .reduce<RetainedPublication | null>(
      (best, one) => (best === null || one.sequence > best.sequence ? one : best),
      null,
    );
}

/** Says which earlier publication a view shows, or why it cannot, and lets the reader choose another day. */
export function AsOfNotice({ asOf: { day, state, publication, publications } }: { readonly asOf: AsOf }) {
  const [isOpen, setOpen] = useState(false);
  const { metadata } = useSession();
  if (state === 'newest' && !isOpen)
    return (
      <p>
        <button type="button" class="small" onClick={() => setOpen(true)}>
          Show an earlier day
        </button>
      </p>
    );
  return (
    <div class={state === 'newest' || state === 'loading' ? 'as-of' : 'as-of note'}>
      {publication && (
        <p role="status">
          This is publication {publication.sequence} of {instantText(publication.published_at)}, not the newest.
          {publication.correction && ' A later publication says that it is wrong.'}
        </p>
      )}
      {state === 'none' && (
        <p role="status">
          {isDay(day)
            ? `The site has no publication from ${dateText(day)} or earlier any more`
            : `“${day}” is not a day such as 2025-01-31`}
          {publications.value && `; the oldest publication is from ${oldestDay(publications.value)}`}.
        </p>
      )}
      {state === 'loading' && <Loading what="the publications" />}
      {publications.error && <Failed error={publications.error} />}
      <div class="controls">
        <label>
          As of
          <input
            type="date"
            value={day}
            max={zonedText(metadata.data.publication.published_at).isoDay}
            onChange={({ currentTarget }) => showDay(currentTarget.value)}
          />
        </label>
        {day !== '' && (
          <button type="button" onClick={() => showDay('')}>
            Show the newest
          </button>
        )}
      </div>
    </div>
  );
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text);
}

function showDay(day: string): void {
  replaceQuery({ ...Object.fromEntries(parseHash(location.hash).query), as_of: day });
}

function oldestDay(publications: readonly RetainedPublication[]): string {
  const oldest = publications.reduce(
    (a, b) => (b.sequence < a.sequence ? b : a),
    publications[0] as RetainedPublication,
  );
  return dateText(oldest.published_at);
}

/** Some hosts only have the files of the newest publication. */
export function NoFiles() {
  return <p class="note">This host does not have the files of this publication.</p>;
}
