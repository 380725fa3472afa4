import type { ExportTables } from '../../contract/schemas/metadata.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { WhenLoaded } from '../parts/states.tsx';
import { countText } from '../parts/text.ts';
import { useLoaded, useSession } from '../site/session.ts';

type HistoryKind = keyof ExportTables['history'];
type TableRow = ExportTables['history'][HistoryKind] & { readonly kind: HistoryKind; readonly href: string };

const meanings: Readonly<Record<HistoryKind, string>> = {
  daily: 'price, status and reported inventory of every product in every publication of the change history',
  changes: 'every event in a piece of the change history',
  newest_changes: 'the newest events, which are not in a piece yet',
  products_over_time: 'what each product was, and from when until when',
  stores_over_time: 'what each store was, and from when until when',
  categories: 'the categories, and from when until when each was so',
  coverage: 'about how many products each publication asked in each store, by category, and how many answers came',
};

/** The address of the file of a table. */
function tableAddress(site: ReturnType<typeof useSession>['site'], kind: HistoryKind): string {
  if (kind === 'daily' || kind === 'changes' || kind === 'newest_changes') return site.addressOf(`${kind}_parquet`);
  return site.addressOf('context_parquet', { context: kind });
}

/** The name of a file below `/v1/exports/`. */
function exportName(href: string): string {
  return href.slice(href.lastIndexOf('/v1/exports/') + '/v1/exports/'.length);
}

/** A path that may wrap after its folder in a narrow column. */
function breakable(path: string): string {
  return path.replace('/', '/\u200b');
}

const columns: readonly Column<TableRow>[] = [
  {
    label: 'File',
    value: ({ href }) => exportName(href),
    show: ({ href }) => <a href={href}>{breakable(exportName(href))}</a>,
  },
  {
    label: 'Contents',
    value: ({ kind }) => meanings[kind],
    show: ({ kind }) => <span class="prose">{meanings[kind]}</span>,
  },
  {
    label: 'Rows',
    value: (row) => row.record_count,
    show: (row) => countText(row.record_count),
    isNumber: true,
    isMinor: true,
  },
  { label: 'Bytes', value: ({ size }) => size, show: ({ size }) => countText(size), isNumber: true },
  {
    label: 'SHA-256',
    value: ({ sha256 }) => sha256,
    show: ({ sha256 }) => <code class="hash">{sha256}</code>,
    isMinor: true,
  },
];

/** The tables over time as Parquet. Each publication rewrites them. */
export function HistoryTables() {
  const { site } = useSession();
  const loaded = useLoaded('export manifest', async (site, signal) => (await site.exports({ signal })).data.parquet);
  return (
    <WhenLoaded loaded={loaded} what="the tables over time">
      {({ history }) => (
        <DataTable
          caption="Tables over time"
          columns={columns}
          rows={(Object.keys(meanings) as HistoryKind[]).map((kind) => ({
            ...history[kind],
            kind,
            href: tableAddress(site, kind),
          }))}
          file="tables-over-time"
          rowKey={({ kind }) => kind}
        />
      )}
    </WhenLoaded>
  );
}
