import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import pMap from 'p-map';

/*
 * What a plain script takes for documents like those of a site: for each product of the newest publication, its
 * current fields, its quantity in each store, and its newest hundred changes. It reads rows, turns them into JSON, and
 * writes the files, sixteen at a time. Nothing is checked, hashed, compressed or linked, and nothing is kept of earlier
 * publications.
 */

const [file = '', out = ''] = process.argv.slice(2);
const database = new Database(file, { readonly: true });
const holds = 'last_publication IS NULL';
const products = database.prepare<[], { product: number; id: string }>(
  `SELECT p.id, p.sku, v.* FROM product_version AS v JOIN product AS p USING (product) WHERE v.${holds} ORDER BY product`,
);
const availability = database.prepare(
  `SELECT s.id, sv.inventory_store_code, sv.name, i.quantity, i.purchase_eligibility
  FROM store_version AS sv JOIN store AS s USING (store)
  LEFT JOIN inventory_version AS i ON i.store = sv.store AND i.product = ? AND i.${holds}
  WHERE sv.${holds} ORDER BY sv.name`,
);
const changes = database.prepare(
  `SELECT e.number, e.id, e.type, e.change, e.retrieved_at, v.name, v.brand_name, sv.name AS store
  FROM event AS e JOIN product_version AS v ON v.version = e.product_version
  LEFT JOIN store_version AS sv ON sv.version = e.store_version
  WHERE e.product = ? ORDER BY e.number DESC LIMIT 100`,
);

mkdirSync(out, { recursive: true });
let files = 0;
await pMap(
  products.iterate(),
  async ({ product, id, ...fields }) => {
    const documents = {
      product: { id, ...fields },
      availability: { id, stores: availability.all(product) },
      changes: { id, data: changes.all(product) },
    };
    for (const [name, data] of Object.entries(documents)) {
      await writeFile(join(out, `${id}-${name}.json`), JSON.stringify({ data }));
      files += 1;
    }
  },
  { concurrency: 16 },
);
database.close();
console.log(JSON.stringify({ files }));
