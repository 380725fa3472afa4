/**
 * The statements that lead from a schema version to the next, by the version that they start from. They are never
 * changed: a database of any age passes through all of them. A migrated database must equal one that is made anew from
 * the same snapshots.
 */
export const migrations: Readonly<Record<number, readonly string[]>> = {
  1: [
    `CREATE TABLE correction (
  publication INTEGER NOT NULL,
  corrected_by INTEGER NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (corrected_by, publication)
) STRICT, WITHOUT ROWID`,
    // Version 1 stored a scope even when no retrieval of its snapshot succeeded. Scopes are now numbered in the order of
    // the publications that first have such a retrieval; each publication has one scope at most.
    `CREATE TEMP TABLE renumbered AS
      SELECT scope, row_number() OVER (ORDER BY min(publication)) AS number
      FROM retrieval WHERE scope IS NOT NULL GROUP BY scope`,
    'DELETE FROM inventory_scope_store WHERE scope NOT IN (SELECT scope FROM temp.renumbered)',
    'DELETE FROM inventory_scope WHERE scope NOT IN (SELECT scope FROM temp.renumbered)',
    ...['inventory_scope', 'inventory_scope_store', 'retrieval'].flatMap((table) => [
      // A number that is still taken would break a unique key, so all numbers first become negative.
      `UPDATE ${table} SET scope = -(SELECT number FROM temp.renumbered AS r WHERE r.scope = ${table}.scope)
        WHERE scope IN (SELECT scope FROM temp.renumbered WHERE scope <> number)`,
      `UPDATE ${table} SET scope = -scope WHERE scope < 0`,
    ]),
    'DROP TABLE temp.renumbered',
  ],
  2: [
    `CREATE TABLE about_version (
  first_publication INTEGER NOT NULL,
  last_publication INTEGER,
  title TEXT,
  agency TEXT,
  notice TEXT,
  license_name TEXT,
  license_url TEXT,
  source_url TEXT,
  contact TEXT,
  PRIMARY KEY (first_publication)
) STRICT, WITHOUT ROWID`,
  ],
  3: [
    'CREATE INDEX product_version_first ON product_version (first_publication, product)',
    'CREATE INDEX retrieval_of_publication ON retrieval (publication, retrieved_at)',
    // It began with the store before, so that reading the rows of a product read all their history.
    'DROP INDEX inventory_version_open',
    'CREATE INDEX inventory_version_open ON inventory_version (product, store, quantity) WHERE last_publication IS NULL',
  ],
};
