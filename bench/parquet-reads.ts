import { gunzipSync } from 'node:zlib';
import { asyncBufferFromUrl, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import type { ExportManifestDocument, TableFile } from '../contract/schemas/metadata.ts';

/** How many bytes at the end of a file are requested first: enough for the footers of most files. */
const firstRead = 65_536;

const compressors = { GZIP: (compressed: Uint8Array) => gunzipSync(compressed) };

/**
 * Prints how much of a site's Parquet files is downloaded by a program that reads a few columns. `npm run -s
 * bench:parquet -- <address>` does so for a running server.
 */
async function main([origin = 'http://127.0.0.1:8080']: readonly string[]): Promise<void> {
  const { data } = (await (await fetch(`${origin}/v1/exports`)).json()) as ExportManifestDocument;
  const { files, history } = data.parquet;
  console.log('| file | rows | bytes | columns | requests | bytes read |\n|---|---:|---:|---|---:|---:|');
  await print(origin, files.inventory, ['state']);
  await print(origin, files.products, ['agency_sku', 'price_amount']);
  await print(origin, history.daily, ['published_at', 'reported_quantity']);
  await print(origin, history.changes, ['type']);
  await print(origin, history.changes, ['type', 'published_at', 'price_difference']);
  const sku = await someSku(origin, files.products);
  await print(origin, history.daily, ['agency_sku', 'publication', 'price_amount', 'reported_quantity'], sku);
  await print(origin, history.changes, ['agency_sku', 'type', 'published_at', 'current_price'], sku);
}

/** The code of a product in the middle of the catalog. */
async function someSku(origin: string, { url }: TableFile): Promise<string> {
  const file = await asyncBufferFromUrl({ url: new URL(url, origin).href });
  const rows = await parquetReadObjects({ file, columns: ['agency_sku'], compressors });
  const skus = rows.map(({ agency_sku }) => String(agency_sku)).sort();
  return skus[Math.floor(skus.length / 2)] ?? '';
}

/** `sku`: the product whose rows are read; absent for all. */
async function print(
  origin: string,
  { url, size, record_count }: TableFile,
  columns: string[],
  sku?: string,
): Promise<void> {
  const address = new URL(url, origin);
  let [requests, bytes] = [0, 0];
  const counting: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    if (request[1]?.method !== 'HEAD') {
      requests += 1;
      bytes += Number(response.headers.get('content-length'));
    }
    return response;
  };
  const file = await asyncBufferFromUrl({ url: address.href, fetch: counting });
  const metadata = await parquetMetadataAsync(file, { initialFetchSize: firstRead });
  const filter = sku === undefined ? {} : { filter: { agency_sku: { $eq: sku } } };
  const rows = await parquetReadObjects({ file, metadata, columns, compressors, ...filter });
  if (sku === undefined && rows.length !== record_count) {
    throw new Error(`expected ${record_count} rows of ${url}, got ${rows.length}`);
  }
  const name = address.pathname.split('/').at(-1);
  const [count, whole, read] = [record_count, size, bytes].map((value) => value.toLocaleString('en-US'));
  const what = `${columns.join(', ')}${sku === undefined ? '' : ` of product ${sku}`}`;
  console.log(`| \`${name}\` | ${count} | ${whole} | ${what} | ${requests} | ${read} |`);
}

await main(process.argv.slice(2));
