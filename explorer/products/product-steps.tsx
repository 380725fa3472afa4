import type { ProductSeries } from '../../contract/schemas/catalog.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { capital, instantText, words } from '../parts/text.ts';

/** A value and when it began. */
type Step = { readonly at: string; readonly what: string; readonly value: string };

const columns: readonly Column<Step>[] = [
  { label: 'Since', unit: 'UTC', value: ({ at }) => at, show: ({ at }) => instantText(at) },
  { label: 'Field', value: ({ what }) => what },
  { label: 'Value', value: ({ value }) => value },
];

/** How the status and the catalog listing changed, newest first; nothing if neither did. */
export function ProductSteps({ series, name }: { readonly series: ProductSeries; readonly name: string }) {
  const { statuses, presence } = series;
  if (statuses.at.length < 2 && presence.at.length < 2) return null;
  const steps: Step[] = [
    ...statuses.at.map((at, index) => ({
      at,
      what: 'Status',
      value: `${statuses.label[index]} (code ${statuses.code[index] || 'none'}, ${words(statuses.lifecycle[index] ?? 'unknown')})`,
    })),
    ...presence.at.map((at, index) => ({
      at,
      what: 'Catalog',
      value: capital(presence.catalog_presence[index] ?? ''),
    })),
  ];
  return (
    <>
      <h3>Status and catalog</h3>
      <DataTable
        caption="Status and catalog listing"
        file={`${name}-status`}
        columns={columns}
        rows={steps.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))}
        rowKey={({ at, what }) => `${at} ${what}`}
      />
    </>
  );
}
