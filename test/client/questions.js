import { openSite } from './open-site.js';

/** The answers to some questions of each kind, as values that JSON has. */
export async function answers(url, key) {
  const site = await openSite(url, { pinned: true });
  const proven = await openSite(url, { key });
  const product = await site.product.bySku('014100');
  const count = async (rows) => {
    let number = 0;
    for await (const _ of rows) number += 1;
    return number;
  };
  return {
    publication: site.publication,
    proven: [await proven.categories(), await proven.search({ q: 'peach' })],
    product,
    product_changes: await site.productChanges(product.data.id).take(5),
    products: await count(site.products()),
    events: await count(site.changes()),
    pairs: await count(site.records('inventory')),
    found: await site.search({ q: 'peach' }),
    compared: await site.compare({ skus: ['014100', '001204'], lat: 40.7, lng: -111.9, inventory_age: 'any_age' }),
    price_changes: await site.changes({ types: ['price_changed'] }).take(120),
    brands: await site.brands({ sort: '-name', q: 'a' }).take(100),
    problem: await site.compare({ skus: ['999999'], lat: 0, lng: 0 }).catch(({ status, code }) => ({ status, code })),
    missing: await site.product.bySku('999999').catch(({ status }) => status),
  };
}
