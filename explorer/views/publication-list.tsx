import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { Site } from '../../client/site.ts';
import type { DataPackage } from '../../contract/schemas/data-package.ts';
import type { RetainedPublication } from '../../contract/schemas/metadata.ts';
import type { PublicationTable } from '../../contract/vocabulary.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Instant } from '../parts/instant.tsx';
import { LaterDetails } from '../parts/later.tsx';
import { WhenLoaded } from '../parts/states.tsx';
import type { Column } from '../parts/table-columns.ts';
import { countText, instantText, monthText } from '../parts/text.ts';
import { useLoaded, useSession } from '../site/session.ts';

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

type Resource = DataPackage['resources'][number];
type FileRow = Resource & { readonly table: PublicationTable; readonly records: number; readonly url: string };

const meanings: Readonly<Record<PublicationTable, string>> = {
  products: 'every product ever published, with its price, its status and what stores report',
  stores: 'every store with its address and services',
  inventory: 'every observed pair of a product and a store',
  daily: 'every product ever published, with the values in force and reported in this publication',
};

/** The tables of the Parquet files, by resource name in the data package. */
const parquetTables: Readonly<Record<`${PublicationTable}_parquet`, PublicationTable>> = {
  products_parquet: 'products',
  stores_parquet: 'stores',
  inventory_parquet: 'inventory',
  daily_parquet: 'daily',
};

const columns: readonly Column<FileRow>[] = [
  {
    label: 'File',
    value: ({ path }) => path,
    show: ({ path, url }) => <a href={url}>{path}</a>,
  },
  {
    label: 'Contents',
    value: ({ table }) => meanings[table],
    show: ({ table }) => <span class="prose">{meanings[table]}</span>,
  },
  {
    label: 'Records',
    value: ({ records }) => records,
    show: ({ records }) => countText(records),
    isNumber: true,
    isMinor: true,
  },
  { label: 'Bytes', value: ({ bytes }) => bytes, show: ({ bytes }) => countText(bytes), isNumber: true },
  {
    label: 'SHA-256',
    value: ({ hash }) => hash.replace(/^sha256:/, ''),
    show: ({ hash }) => <code class="hash">{hash.replace(/^sha256:/, '')}</code>,
    isMinor: true,
  },
];

type FieldRow = DataPackage['resources'][number]['schema']['fields'][number];

const fieldColumns: readonly Column<FieldRow>[] = [
  { label: 'Column', value: ({ name }) => name, show: ({ name }) => <code>{name}</code> },
  { label: 'Type', value: ({ type }) => type, isMinor: true },
  { label: 'Unit', value: ({ unit }) => unit ?? null, isMinor: true },
  {
    label: 'Meaning',
    value: ({ description }) => description,
    show: ({ description }) => <span class="prose">{description}</span>,
  },
];

/**
 * The export files of a publication, with sizes and hashes from its data package. `withColumns`: also explains their
 * columns.
 */
function PublicationFiles({
  publication,
  withColumns = false,
}: {
  readonly publication: RetainedPublication;
  readonly withColumns?: boolean;
}) {
  const { site } = useSession();
  const { revision } = publication;
  const packageUrl = site.addressOf('export_package', { revision });
  // The file may belong to an earlier publication, so it is fetched directly and not as a document of this one.
  const loaded = useLoaded(packageUrl, async (_, signal) => {
    const answer = await fetch(packageUrl, { signal });
    if (!answer.ok) throw new Error(`${packageUrl}: expected the data package, got status ${answer.status}`);
    return (await answer.json()) as DataPackage;
  });
  return (
    <WhenLoaded loaded={loaded} what="the list of files">
      {({ resources }) => (
        <>
          <DataTable
            caption={`Files of publication ${publication.sequence}`}
            columns={columns}
            rows={resources.map((resource) => fileRow(resource, publication, site))}
            file={`files-${publication.sequence}`}
            rowKey={({ name }) => name}
          />
          <p>
            <a href={site.addressOf('export_checksums', { revision })}>SHA256SUMS</a> is for{' '}
            <code>sha256sum -c --ignore-missing</code> and also covers files that the browser unpacked.{' '}
            <a href={packageUrl}>datapackage.json</a> describes files and columns for programs that read{' '}
            <a href="https://specs.frictionlessdata.io/">Data Packages</a>.{' '}
            <a href={site.addressOf('export_citation', { revision })}>CITATION.cff</a> says how to cite it.
          </p>
          {withColumns &&
            resources.map(({ name, path, schema }) => (
              <LaterDetails key={name} summary={`Columns of ${path}`}>
                <DataTable
                  caption={`Columns of ${path}`}
                  columns={fieldColumns}
                  rows={schema.fields}
                  file={`columns-${name}`}
                  rowKey={(field) => field.name}
                />
              </LaterDetails>
            ))}
        </>
      )}
    </WhenLoaded>
  );
}

function fileRow(resource: Resource, { revision, exports }: RetainedPublication, site: Site): FileRow {
  if (resource.format === 'csv') {
    const url = site.addressOf('products_csv', { revision });
    return { ...resource, table: 'products', records: exports.products.record_count, url };
  }
  if (resource.format === 'ndjson') {
    const table = resource.name;
    const url = site.addressOf('export', { revision, resource: table });
    return { ...resource, table, records: exports[table].record_count, url };
  }
  const table = parquetTables[resource.name];
  // `daily` has one row per product, like `products`.
  const records = exports[table === 'daily' ? 'products' : table].record_count;
  return { ...resource, table, records, url: site.addressOf('export_parquet', { revision, table }) };
}
