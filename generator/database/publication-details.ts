import type { Connection } from './connection.ts';
import { type EventSpan, eventSpan } from './publication-summary.ts';
import type { Publication } from './publications.ts';

export type NamedProduct = { readonly sku: string; readonly name: string };
export type Move = NamedProduct & { readonly before: number | null; readonly now: number | null };

/** Examples of what a publication did. */
export type PublicationDetails = {
  /** By SKU. */
  readonly new_products: readonly NamedProduct[];
  readonly gone_products: readonly NamedProduct[];
  /** In cents, null for no price: first those that lost it, then by the factor up or down. */
  readonly price_moves: readonly Move[];
  /** Of a product in a store, null for no row, by the difference. */
  readonly quantity_moves: readonly (Move & { readonly store: string | null })[];
};

const mostOfEach = 10;

export function publicationDetails(connection: Connection, publication: Publication): PublicationDetails {
  const span = eventSpan(connection, publication);
  const select = <Row>(columns: string, condition: string, order: string) =>
    connection
      .prepare<[EventSpan], Row>(`
        SELECT sku, named.name, ${columns} FROM event
          JOIN product USING (product) JOIN product_version AS named ON named.version = product_version
          LEFT JOIN store_version AS place ON place.version = store_version
        WHERE number BETWEEN :first AND :last AND ${condition} ORDER BY ${order} LIMIT ${mostOfEach}`)
      .all(span);
  const moved = (value: string) => `json_extract(change, '$.previous.${value}') AS before,
    json_extract(change, '$.current.${value}') AS now`;
  const products = (condition: string) =>
    select<NamedProduct & { number: number }>('number', condition, 'sku').map(({ sku, name }) => ({ sku, name }));
  return {
    new_products: products(`type = 'product_first_observed'`),
    gone_products: products(`type = 'catalog_presence_changed' AND json_extract(change, '$.current') = 'absent'`),
    price_moves: select<Move>(
      moved('amount_minor'),
      `type = 'price_changed'`,
      'now IS NULL DESC, max(before, now) * 1.0 / max(min(before, now), 1) DESC, sku',
    ),
    quantity_moves: select(
      `inventory_store_code AS store, ${moved('reported_quantity')}`,
      `type = 'store_inventory_changed'`,
      'abs(coalesce(now, 0) - coalesce(before, 0)) DESC, sku, store',
    ),
  };
}
