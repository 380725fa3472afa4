import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { RetainedPublication } from '../../contract/schemas/metadata.ts';
import { Instant } from '../parts/instant.tsx';
import { instantText, monthText } from '../parts/text.ts';
import { useSession } from '../site/session.ts';
import { PublicationFiles } from './publication-files.tsx';

const tables = ['products', 'stores', 'inventory', 'daily'] as const;

/** The retained publications by month, each with its files. Sizes and hashes of the chosen one are shown below. */
export function PublicationList({ publications }: { readonly publications: readonly RetainedPublication[] }) {
  const { site } = useSession();
  const [chosen, setChosen] = useState(publications.find(({ current }) => current) ?? publications[0]);
  const months = new Map<string, RetainedPublication[]>();
  for (const publication of publications) {
    const month = monthText(publication.published_at);
    months.set(month, [...(months.get(month) ?? []), publication]);
  }
  return (
    <>
      <div class="capped table">
        <section class="scrolled few" aria-label="Publications" tabIndex={0}>
          <table class="publications">
            <caption>Publications by month</caption>
            <thead>
              <tr>
                {['Published', 'Number', 'As Parquet', 'All files'].map((label) => (
                  <th key={label} scope="col">
                    <span>{label}</span>
                  </th>
                ))}
              </tr>
            </thead>
            {[...months].map(([month, ofMonth]) => (
              <tbody key={month}>
                <tr>
                  <th scope="rowgroup" colSpan={4}>
                    {month} <span class="muted">{ofMonth.length}</span>
                  </th>
                </tr>
                {ofMonth.map((publication) => {
                  const { revision, sequence, published_at, correction } = publication;
                  return (
                    <tr key={revision} aria-current={publication === chosen ? 'true' : undefined}>
                      <td>
                        <Instant at={published_at} />
                      </td>
                      <td>
                        {sequence}
                        {correction && <span class="tag partial">corrected</span>}
                      </td>
                      <td>
                        {tables.map((table, at) => (
                          <Fragment key={table}>
                            {at > 0 && ', '}
                            <a href={site.addressOf('export_parquet', { revision, table })}>{table}</a>
                          </Fragment>
                        ))}
                      </td>
                      <td>
                        <button type="button" class="small" onClick={() => setChosen(publication)}>
                          Sizes and hashes<span class="visually-hidden"> of publication {sequence}</span>
                        </button>
                      </td>
                    </tr>
                  );
                })}
              </tbody>
            ))}
          </table>
        </section>
      </div>
      {chosen && (
        <div key={chosen.revision} class="publication">
          <h3>
            Publication {chosen.sequence} of {instantText(chosen.published_at)}
          </h3>
          <p class="muted">
            Revision <code class="hash">{chosen.revision}</code>
          </p>
          {chosen.correction && (
            <p class="note">
              A later publication says that this one is wrong: {chosen.correction.reason} Its files are unchanged.
            </p>
          )}
          <PublicationFiles publication={chosen} withColumns={chosen.current} />
        </div>
      )}
    </>
  );
}
