/**
 * Answers of docs/questions.md from the database, by the name of the chart. They use other tables than the exports, so
 * both are right only if the exports are. Columns are those of the question, in the order of its rows.
 */
export const databaseAnswers: Readonly<Record<string, string>> = {
  'category-prices': `
    WITH moved AS (
      SELECT category.name AS category, change ->> '$.current.amount_minor' > change ->> '$.previous.amount_minor' AS rose
      FROM event JOIN product_version AS product ON product.version = event.product_version
        JOIN category_version AS category ON category.id = product.category_id
          AND event.publication BETWEEN category.first_publication AND ifnull(category.last_publication, event.publication)
      WHERE type = 'price_changed' AND change ->> '$.difference_minor' IS NOT NULL
    )
    SELECT category, sum(rose) AS rises, sum(NOT rose) AS cuts FROM moved
    GROUP BY category ORDER BY rises + cuts DESC, category LIMIT 8`,
  'reports-at-risk': `
    SELECT date(published_at) AS published, count(*) AS at_risk, sum(now.product IS NULL) AS ended
    FROM retrieval JOIN publication ON publication.sequence = retrieval.publication
      JOIN inventory_scope_store USING (scope)
      JOIN inventory_version AS before ON before.product = retrieval.product AND before.store = inventory_scope_store.store
        AND sequence - 1 BETWEEN before.first_publication AND ifnull(before.last_publication, sequence) AND before.quantity > 0
      LEFT JOIN inventory_version AS now ON now.product = retrieval.product AND now.store = inventory_scope_store.store
        AND sequence BETWEEN now.first_publication AND ifnull(now.last_publication, sequence) AND now.quantity > 0
    WHERE status = 'succeeded' GROUP BY sequence ORDER BY sequence`,
  'shared-range': `
    WITH present AS (
      SELECT product, store, name FROM inventory_version JOIN store_version USING (store)
      WHERE inventory_version.last_publication IS NULL AND store_version.last_publication IS NULL AND quantity > 0
    ), size AS (SELECT name, count(*) AS products FROM present GROUP BY name)
    SELECT a.name || ' and ' || b.name AS stores, count(*) AS in_both,
      format('%.1f', 100.0 * count(*) / (x.products + y.products - count(*))) AS percent_shared
    FROM present AS a JOIN present AS b ON b.product = a.product AND a.name < b.name
      JOIN size AS x ON x.name = a.name JOIN size AS y ON y.name = b.name
    GROUP BY a.name, b.name ORDER BY 100.0 * count(*) / (x.products + y.products - count(*)) DESC, stores LIMIT 6`,
  'asked-by-status': `
    WITH asked AS (SELECT DISTINCT publication FROM retrieval WHERE scope IS NOT NULL)
    SELECT status_label AS status, count(*) AS listed,
      format('%.1f', 100.0 * count(retrieval.product) / count(*)) AS asked_for
    FROM asked JOIN product_version AS version
        ON publication BETWEEN version.first_publication AND ifnull(version.last_publication, publication)
      LEFT JOIN retrieval USING (product, publication)
    WHERE catalog_presence = 'listed' GROUP BY status_label ORDER BY listed DESC, status`,
  'price-index': `
    WITH price AS (
      SELECT sequence, published_at, product, price_minor FROM publication JOIN product_version AS version
        ON sequence BETWEEN version.first_publication AND ifnull(version.last_publication, sequence)
      WHERE catalog_presence = 'listed' AND price_minor IS NOT NULL
    ), basket AS (
      SELECT product FROM price GROUP BY product HAVING count(*) = (SELECT count(*) FROM publication)
    ), cost AS (SELECT sequence, published_at, sum(price_minor) AS cost FROM price JOIN basket USING (product) GROUP BY sequence)
    SELECT date(published_at) AS published,
      format('%.2f', 100.0 * cost / first_value(cost) OVER (ORDER BY sequence)) AS basket
    FROM cost ORDER BY sequence`,
};
