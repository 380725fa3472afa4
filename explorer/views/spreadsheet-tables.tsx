import type { CsvTables } from '../../contract/schemas/metadata.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { WhenLoaded } from '../parts/states.tsx';
import { countText } from '../parts/text.ts';
import { useLoaded, useSession } from '../site/session.ts';

type Kind = Exclude<keyof CsvTables, 'format'>;
type Row = CsvTables[Kind] & { readonly kind: Kind; readonly href: string };

const meanings: Readonly<Record<Kind, string>> = {
  products: 'every product of this publication: price, price per litre, status, categories, and what stores report',
  prices: 'every price of every product, with the period in which it was in force',
  daily: 'every product in every publication of the change history',
};

const columns: readonly Column<Row>[] = [
  { label: 'File', value: ({ kind }) => `${kind}.csv`, show: ({ kind, href }) => <a href={href}>{`${kind}.csv`}</a> },
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
  { label: 'Compressed bytes', value: ({ size }) => size, show: ({ size }) => countText(size), isNumber: true },
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
  const hrefs: Readonly<Record<Kind, string>> = {
    products: site.addressOf('products_csv', { revision }),
    prices: site.addressOf('prices_csv'),
    daily: site.addressOf('daily_csv'),
  };
  return (
    <WhenLoaded loaded={loaded} what="the tables for spreadsheets">
      {(csv) => (
        <>
          <DataTable
            caption="Tables for spreadsheets"
            columns={columns}
            rows={(Object.keys(meanings) as Kind[]).map((kind) => ({ ...csv[kind], kind, href: hrefs[kind] }))}
            file="tables-for-spreadsheets"
            rowKey={({ kind }) => kind}
          />
          {csv.daily.record_count >= sheetRows && (
            <p class="muted">
              Spreadsheets show at most {countText(sheetRows)} rows, and <code>daily.csv</code> has more. Filter it with
              another program first.
            </p>
          )}
        </>
      )}
    </WhenLoaded>
  );
}
