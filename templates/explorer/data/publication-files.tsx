import type { RetainedPublication } from '../../../generator/contract/documents/metadata.ts';
import type { DataPackage } from '../../../generator/contract/formats/data-package.ts';
import { useLoaded, useSession } from '../app/session.ts';
import { type Column, DataTable } from '../components/data-table.tsx';
import { WhenLoaded } from '../components/states.tsx';
import { countText } from '../components/text.ts';

type FileRow = DataPackage['resources'][number] & { readonly records: number; readonly url: string };

const meanings = {
  products: 'every product ever published, with price, status and what stores report of it',
  stores: 'every store with its address and services',
  inventory: 'every observed pair of a product and a store',
} as const;

const columns: readonly Column<FileRow>[] = [
  {
    label: 'File',
    value: ({ path }) => path,
    show: ({ path, url }) => <a href={url}>{path}</a>,
  },
  {
    label: 'What it is',
    value: ({ name }) => meanings[name],
    show: ({ name }) => <span class="prose">{meanings[name]}</span>,
  },
  { label: 'Records', value: ({ records }) => records, show: ({ records }) => countText(records), isNumber: true },
  { label: 'Bytes', value: ({ bytes }) => bytes, show: ({ bytes }) => countText(bytes), isNumber: true },
  {
    label: 'SHA-256',
    value: ({ hash }) => hash.replace(/^sha256:/, ''),
    show: ({ hash }) => <code class="hash">{hash.replace(/^sha256:/, '')}</code>,
  },
];

type FieldRow = DataPackage['resources'][number]['schema']['fields'][number];

const fieldColumns: readonly Column<FieldRow>[] = [
  { label: 'Column', value: ({ name }) => name, show: ({ name }) => <code>{name}</code> },
  { label: 'Type', value: ({ type }) => type },
  { label: 'Unit', value: ({ unit }) => unit ?? null },
  {
    label: 'Meaning',
    value: ({ description }) => description,
    show: ({ description }) => <span class="prose">{description}</span>,
  },
];

/** The export files of a publication. Its data package has their sizes and hashes. `withColumns`: and what their columns mean. */
export function PublicationFiles({
  publication,
  withColumns = false,
}: {
  readonly publication: RetainedPublication;
  readonly withColumns?: boolean;
}) {
  const { site } = useSession();
  const { revision } = publication;
  const packageUrl = site.addressOf('export_package', { revision });
  // The address never changes and may be of an earlier publication, so it is read as a file, not as a document of this one.
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
            rows={resources.map((resource) => ({
              ...resource,
              records: publication.exports[resource.name].record_count,
              url: site.addressOf('export', { revision, resource: resource.name }),
            }))}
            file={`files-${publication.sequence}`}
            keyOf={({ name }) => name}
          />
          <p>
            <a href={site.addressOf('export_checksums', { revision })}>SHA256SUMS</a>, as <code>sha256sum -c</code>{' '}
            reads it. <a href={packageUrl}>datapackage.json</a>, which describes files and columns to programs that read{' '}
            <a href="https://specs.frictionlessdata.io/">Data Packages</a>.
          </p>
          {withColumns &&
            resources.map(({ name, schema }) => (
              <details key={name}>
                <summary>Columns of {name}</summary>
                <DataTable
                  caption={`Columns of ${name}`}
                  columns={fieldColumns}
                  rows={schema.fields}
                  file={`columns-${name}`}
                  keyOf={(field) => field.name}
                />
              </details>
            ))}
        </>
      )}
    </WhenLoaded>
  );
}
