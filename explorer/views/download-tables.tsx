import type { CsvTables, ExportTables } from '../../contract/schemas/metadata.ts';
import { DataTable } from '../parts/data-table.tsx';
import { WhenLoaded } from '../parts/states.tsx';
import type { Column } from '../parts/table-columns.ts';
import { countText } from '../parts/text.ts';
import { useLoaded, useSession } from '../site/session.ts';

type HistoryKind = keyof ExportTables['history'];

/** A table to download. */
type Row = {
  readonly kind: string;
  readonly href: string;
  readonly contents: string;
  readonly record_count: number;
  readonly size: number;
};

const history: Readonly<Record<HistoryKind, string>> = {
  daily: 'price, status and reported inventory of every product in every publication of the change history',
  changes: 'every event in a piece of the change history',
  newest_changes: 'the newest events, which are not in a piece yet',
  products_over_time: 'what each product was, and from when until when',
  stores_over_time: 'what each store was, and from when until when',
  categories: 'the categories, and from when until when each was so',
  coverage: 'about how many products each publication asked in each store, by category, and how many answers came',
};

const contentColumns: readonly Column<Row>[] = [
  {
    label: 'Contents',
    value: ({ contents }) => contents,
    show: ({ contents }) => <span class="prose">{contents}</span>,
  },
  {
    label: 'Rows',
    value: (row) => row.record_count,
    show: (row) => countText(row.record_count),
    isNumber: true,
    isMinor: true,
  },
];

const bytes = (label: string): Column<Row> => {
  return { label, value: ({ size }) => size, show: ({ size }) => countText(size), isNumber: true };
};

const sheetColumns: readonly Column<Row>[] = [
  { label: 'File', value: ({ kind }) => `${kind}.csv`, show: ({ kind, href }) => <a href={href}>{`${kind}.csv`}</a> },
  ...contentColumns,
  bytes('Compressed bytes'),
];

const historyColumns: readonly Column<Row & { readonly sha256: string }>[] = [
  {
    label: 'File',
    value: ({ href }) => exportName(href),
    show: ({ href }) => <a href={href}>{breakable(exportName(href))}</a>,
  },
  ...contentColumns,
  bytes('Bytes'),
  {
    label: 'SHA-256',
    value: ({ sha256 }) => sha256,
    show: ({ sha256 }) => <code class="hash">{sha256}</code>,
    isMinor: true,
  },
];

/** The most rows that a spreadsheet shows, including the header. */
const sheetRows = 1_048_576;

/** The tables for spreadsheets. Browsers unpack them when they save them. */
export function SpreadsheetTables() {
  const { site, metadata } = useSession();
  const { revision } = metadata.data.publication;
  const loaded = useLoaded('export manifest for spreadsheets', async (site, signal) => {
    return (await site.exports({ signal })).data.csv;
  });
  const rowsOf = ({ products, prices, daily_months }: CsvTables): Row[] => [
    {
      ...products,
      kind: 'products',
      href: site.addressOf('products_csv', { revision }),
      contents: 'every product of this publication: price, price per litre, status, categories, and what stores report',
    },
    {
      ...prices,
      kind: 'prices',
      href: site.addressOf('prices_csv'),
      contents: 'every price of every product, with the period in which it was in force',
    },
    ...daily_months.map(({ month, ...file }) => ({
      ...file,
      kind: `daily-${month}`,
      href: site.addressOf('daily_month_csv', { month }),
      contents: `every product in every publication of ${month}`,
    })),
  ];
  return (
    <WhenLoaded loaded={loaded} what="the tables for spreadsheets">
      {(csv) => (
        <>
          <DataTable
            caption="Tables for spreadsheets"
            columns={sheetColumns}
            rows={rowsOf(csv)}
            file="tables-for-spreadsheets"
            rowKey={({ kind }) => kind}
          />
          {csv.daily_months.some(({ record_count }) => record_count >= sheetRows) && (
            <p class="muted">
              Spreadsheets show at most {countText(sheetRows)} rows, and a month of <code>daily</code> has more. Filter
              it with another program first.
            </p>
          )}
        </>
      )}
    </WhenLoaded>
  );
}

/** The tables over time as Parquet. Each publication rewrites them. */
export function HistoryTables() {
  const { site } = useSession();
  const loaded = useLoaded('export manifest', async (site, signal) => (await site.exports({ signal })).data.parquet);
  const hrefOf = (kind: HistoryKind): string =>
    kind === 'daily' || kind === 'changes' || kind === 'newest_changes'
      ? site.addressOf(`${kind}_parquet`)
      : site.addressOf('context_parquet', { context: kind });
  return (
    <WhenLoaded loaded={loaded} what="the tables over time">
      {(parquet) => (
        <DataTable
          caption="Tables over time"
          columns={historyColumns}
          rows={kindsOf(history).map((kind) => ({
            ...parquet.history[kind],
            ...{ kind, href: hrefOf(kind), contents: history[kind] },
          }))}
          file="tables-over-time"
          rowKey={({ kind }) => kind}
        />
      )}
    </WhenLoaded>
  );
}

function kindsOf<Kind extends string>(contents: Readonly<Record<Kind, string>>): Kind[] {
  return Object.keys(contents) as Kind[];
}

/** The name of a file below `/v1/exports/`. */
function exportName(href: string): string {
  return href.slice(href.lastIndexOf('/v1/exports/') + '/v1/exports/'.length);
}

/** A path that may wrap after its folder in a narrow column. */
function breakable(path: string): string {
  return path.replace('/', '/\u200b');
}
