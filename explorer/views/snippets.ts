import type { About } from '../../contract/schemas/metadata.ts';

/** A text to copy into a shell or a program, and its title. */
export type Snippet = { readonly title: string; readonly language: string; readonly text: string };

/** Quotes a text for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Downloads the files of a publication and checks their hashes, as in docs/research.md. */
export function downloadSnippet(site: string, revision: string): Snippet {
  return {
    title: 'Download the files and check their hashes',
    language: 'shell',
    text: `site=${quoted(site)}
revision=${revision}
for name in inventory.parquet inventory.ndjson.gz products.ndjson.gz datapackage.json SHA256SUMS; do
  curl -sSfO $site/v1/exports/$revision/$name
done
sha256sum -c --ignore-missing SHA256SUMS`,
  };
}

/** Quotes a text for SQL. */
function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Queries that DuckDB answers without a download: it only requests the columns that it needs. */
export function remoteTables(site: string, revision: string): readonly Snippet[] {
  const exports = `${site}/v1/exports`;
  return [
    {
      title: 'DuckDB: what this publication reports, read from this host',
      language: 'SQL',
      text: `SELECT state, count(*) AS pairs, sum(reported_quantity)::BIGINT AS packages FROM ${sqlText(`${exports}/${revision}/inventory.parquet`)} GROUP BY state ORDER BY state;`,
    },
    {
      title: 'DuckDB: price and reported inventory over time, read from this host',
      language: 'SQL',
      text: `SELECT published_at, agency_sku, price_amount, positive_store_count AS stores, reported_quantity AS packages FROM ${sqlText(`${exports}/daily.parquet`)} ORDER BY published_at, agency_sku;`,
    },
    {
      title: 'DuckDB: all change events by type, read from this host',
      language: 'SQL',
      text: `SELECT type, count(*) AS events FROM read_parquet([${sqlText(`${exports}/changes.parquet`)}, ${sqlText(`${exports}/changes/newest.parquet`)}]) GROUP BY type ORDER BY type;`,
    },
  ];
}

/** First tables made from the files. docs/research.md has the same lines, and its test runs them. */
export const firstTables: readonly Snippet[] = [
  {
    title: 'DuckDB, from downloaded files: the products reported in the most stores',
    language: 'SQL',
    text: `WITH product AS (
  SELECT * FROM read_json('products.ndjson.gz', format = 'newline_delimited') WHERE record_type = 'product'
), inventory AS (
  SELECT * FROM read_json('inventory.ndjson.gz', format = 'newline_delimited') WHERE record_type = 'inventory'
)
SELECT product.agency_sku, product.name, product.price_amount_minor AS cents, count(*) AS stores
FROM inventory JOIN product ON product.id = inventory.product_id
WHERE inventory.state = 'reported_positive'
GROUP BY ALL ORDER BY stores DESC, product.agency_sku LIMIT 3;`,
  },
  {
    title: 'pandas',
    language: 'Python',
    text: `import pandas as pd
inventory = pd.read_json('inventory.ndjson.gz', lines=True, dtype=False).query("record_type == 'inventory'")
print(inventory.groupby('state').agg(pairs=('state', 'size'), packages=('reported_quantity', 'sum')).astype(int).to_csv())`,
  },
  {
    title: 'R, with the package jsonlite',
    language: 'R',
    text: `records <- jsonlite::stream_in(gzfile("inventory.ndjson.gz"), verbose = FALSE)
inventory <- records[records$record_type == "inventory", ]
pairs <- as.data.frame(table(state = inventory$state), responseName = "pairs")
write.csv(pairs, row.names = FALSE, quote = FALSE)`,
  },
];

/** What the `shelfpress` command can do with a site. */
export function commandSnippets(site: string): readonly Snippet[] {
  const url = quoted(site);
  return [
    { title: 'Verify this host against the hashes of the site', language: 'shell', text: `shelfpress verify ${url}` },
    {
      title: 'Copy the whole site; run it again to fetch only what is new',
      language: 'shell',
      text: `shelfpress mirror ${url} site`,
    },
    {
      title: 'Write every change to a file, and wait for new ones',
      language: 'shell',
      text: `shelfpress follow ${url} --output changes.ndjson`,
    },
  ];
}

/** The citation of a publication, as in docs/research.md. `today`: the current UTC day. */
export function citation(
  about: Pick<About, 'title' | 'agency' | 'doi'> | null,
  publication: { readonly revision: string; readonly sequence: number; readonly published_at: string },
  site: string,
  today: string,
): string {
  const title = about?.title ?? 'Reported inventory';
  const of = about?.agency ? ` of ${about.agency}` : '';
  // Sites that were built by an earlier version state no DOI.
  const doi = about?.doi ? `, https://doi.org/${about.doi}` : '';
  return `${title}${of}, publication ${publication.sequence}, revision ${publication.revision}, published ${publication.published_at}, retrieved from ${site} on ${today}${doi}.`;
}
