import type Database from 'better-sqlite3';
import type { IcebergTable } from '../../contract/vocabulary.ts';

/** The columns whose sums are compared with the database. */
export const summedColumns: Readonly<Record<IcebergTable, readonly string[]>> = {
  products: ['price_amount_minor'],
  stores: [],
  inventory: ['reported_quantity'],
  daily: ['publication', 'price_amount_minor'],
  changes: ['number', 'publication'],
};

/** The versions of a kind that hold at a publication. */
const holds = 'first_publication <= :at AND ifnull(last_publication, :at) >= :at';

const queries: Readonly<Record<IcebergTable, string>> = {
  products: `SELECT count(*) AS rows, sum(price_minor) AS price_amount_minor FROM product_version WHERE ${holds}`,
  stores: 'SELECT store_count AS rows FROM publication WHERE sequence = :at',
  inventory: `SELECT inventory_pair_count AS rows,
      (SELECT sum(quantity) FROM inventory_version WHERE ${holds}) AS reported_quantity
    FROM publication WHERE sequence = :at`,
  daily: `SELECT count(*) AS rows, sum(sequence) AS publication, sum(price_minor) AS price_amount_minor
    FROM publication JOIN product_version ON first_publication <= sequence AND ifnull(last_publication, sequence) >= sequence
    WHERE sequence BETWEEN :first AND :at`,
  changes: `SELECT count(*) AS rows, sum(number) AS number, sum(publication) AS publication FROM event
    WHERE publication BETWEEN :first AND :at`,
};

/**
 * The number of rows and the sums that a table must have at publication `at`, from the database. `first`: the oldest
 * publication whose files the site keeps.
 */
export function icebergAnswer(sql: Database.Database, table: IcebergTable, at: number, first: number) {
  return sql.prepare(queries[table]).get({ at, first }) as Readonly<Record<string, number>>;
}
