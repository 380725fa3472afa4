import { CodeBlock } from '../parts/code-block.tsx';
import { SafeLink } from '../parts/links.tsx';
import { WhenLoaded } from '../parts/states.tsx';
import { ViewFrame } from '../parts/view-frame.tsx';
import { hrefFor } from '../site/router.ts';
import { useLoaded, useSession } from '../site/session.ts';
import { ChangeHistory } from './change-history.tsx';
import { HistoryTables, SpreadsheetTables } from './download-tables.tsx';
import { PublicationList } from './publication-list.tsx';
import { citation, commandSnippets, downloadSnippet, firstTables, remoteTables } from './snippets.ts';

/** Everything as files, and how to load, verify, copy, follow and cite it. */
export function Data() {
  const { site, metadata } = useSession();
  const { publication } = metadata.data;
  const loaded = useLoaded('publications', async (site, signal) => (await site.publications({ signal })).data);
  return (
    <ViewFrame
      title="Data"
      lead="Everything as files, for DuckDB, pandas, R and spreadsheets: tables over time, and the tables of each publication."
      sources={[
        { label: 'Retained publications', url: site.addressOf('publications') },
        { label: 'Export manifest', url: site.addressOf('exports') },
        { label: 'Pieces of the change history', url: site.addressOf('change_pieces') },
      ]}
    >
      <h2>For spreadsheets</h2>
      <p>
        Prices are amounts such as 12.90, and times are in UTC. Codes may start with zeros: import{' '}
        <code>agency_sku</code> as text, and files as UTF-8.
      </p>
      <SpreadsheetTables />
      <h2>Tables over time</h2>
      <p>
        One row for each product and publication, and one for each change: enough for most questions. Each publication
        rewrites these Parquet files.
      </p>
      <HistoryTables />
      <h2>Files of each publication</h2>
      <WhenLoaded loaded={loaded} what="the publications">
        {(publications) => <PublicationList publications={publications} />}
      </WhenLoaded>
      <p class="muted">
        Browsers unpack <code>.gz</code> files when they save them. The commands below download files that match the
        hashes.
      </p>
      <h2>Load a first table</h2>
      <p>
        A program that reads Parquet needs no download: it requests only the columns that a query needs. Codes are text,
        because they may start with zeros.
      </p>
      {remoteTables(site.url, publication.revision).map(({ title, text }) => (
        <CodeBlock key={title} title={title} text={text} wraps />
      ))}
      <p>
        NDJSON is text. The first record of a file is its header; its <code>record_type</code> differs from the data.
      </p>
      {[downloadSnippet(site.url, publication.revision), ...firstTables].map(({ title, text }) => (
        <CodeBlock key={title} title={title} text={text} />
      ))}
      <h2>The change history</h2>
      <ChangeHistory />
      <h2>Check, copy and follow</h2>
      <p>
        The <code>shelfpress</code> command works with any host. To check a copy by hand, the hashes above and{' '}
        <code>sha256sum -c --ignore-missing SHA256SUMS</code> are enough. Feed readers find new publications in{' '}
        <a href={site.addressOf('publications_feed')} type="application/atom+xml">
          an Atom feed
        </a>
        . The <a href={hrefFor('api')}>API</a> answers single questions.
      </p>
      {commandSnippets(site.url).map(({ title, text }) => (
        <CodeBlock key={title} title={title} text={text} />
      ))}
      <CiteAndTerms />
    </ViewFrame>
  );
}

/** How to cite the data, its terms, and whom to ask. */
function CiteAndTerms() {
  const { site, metadata } = useSession();
  const { about, publication, service } = metadata.data;
  const text = citation(about, publication, site.url, new Date().toISOString().slice(0, 10));
  const license = about?.license ?? null;
  const contact = about?.contact ?? null;
  return (
    <>
      <h2>Cite</h2>
      <p>
        Everyone with the same revision has the same data. Add the SHA-256 of the files you used and, for the change
        history, the numbers of its first and last event.
      </p>
      <CodeBlock title="Citation of this publication" text={text} wraps />
      <h2>Terms and contact</h2>
      <dl class="facts">
        <dt>License</dt>
        <dd>
          {license === null ? (
            'Not stated by the operator.'
          ) : license.url === null ? (
            license.name
          ) : (
            <SafeLink to={license.url}>{license.name}</SafeLink>
          )}
        </dd>
        <dt>Source</dt>
        <dd>
          {about?.source_url ? (
            <SafeLink to={about.source_url}>{about.agency ?? about.source_url}</SafeLink>
          ) : (
            (about?.agency ?? 'Not stated by the operator.')
          )}
        </dd>
        <dt>Contact</dt>
        <dd>
          {contact === null ? (
            'Not stated by the operator.'
          ) : (
            <SafeLink to={/^https?:/.test(contact) ? contact : `mailto:${contact}`}>{contact}</SafeLink>
          )}
        </dd>
        {about?.notice && (
          <>
            <dt>Notice</dt>
            <dd>{about.notice}</dd>
          </>
        )}
        <dt>Statement</dt>
        <dd>{service.statement}</dd>
      </dl>
    </>
  );
}
