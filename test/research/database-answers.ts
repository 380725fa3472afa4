/** A version of a product, and the one before it. */
const successive = `product_version AS now JOIN product_version AS before
  ON before.product = now.product AND before.last_publication = now.first_publication - 1`;

/** The newest version of each product, with its last successful retrieval, if there is one. */
const newest = `product_version AS version
  LEFT JOIN retrieval ON retrieval.product = version.product AND retrieval.publication =
    (SELECT max(publication) FROM retrieval AS success WHERE success.product = version.product AND status = 'succeeded')`;

/**
 * Answers of docs/questions.md from the database, by the name of the chart. They use other tables than the exports, so
 * both are right only if the exports are. Columns are those of the question, in the order of its rows.
 */
export const databaseAnswers: Readonly<Record<string, string>> = {
  'price-changes': `
    SELECT strftime('%Y-%m', catalog_retrieved_at) AS month, sum(now.price_minor > before.price_minor) AS rises,
      sum(now.price_minor < before.price_minor) AS cuts
    FROM ${successive} JOIN publication ON sequence = now.first_publication
    WHERE now.price_minor <> before.price_minor GROUP BY month ORDER BY month`,
  'coming-and-going': `
    WITH moved AS (
      SELECT first_publication AS publication, 1 AS first_observed, 0 AS returned, 0 AS gone FROM product
      UNION ALL
      SELECT now.first_publication, 0, now.catalog_presence = 'listed', now.catalog_presence = 'absent'
      FROM ${successive} WHERE now.catalog_presence <> before.catalog_presence
    )
    SELECT date(published_at) AS published, sum(first_observed) AS first_observed, sum(returned) AS returned,
      sum(gone) AS gone
    FROM moved JOIN publication ON sequence = publication WHERE sequence > 1 GROUP BY sequence ORDER BY sequence`,
  'age-of-reports': `
    WITH report AS (
      SELECT julianday((SELECT max(published_at) FROM publication)) - julianday(retrieved_at) AS days
      FROM ${newest} WHERE version.last_publication IS NULL AND catalog_presence = 'listed'
    )
    SELECT CASE WHEN days < 1 THEN 'under a day' WHEN days < 7 THEN '1 to 7 days' WHEN days < 28 THEN '7 to 28 days'
      WHEN days >= 28 THEN '28 days or more' ELSE 'never retrieved' END AS age, count(*) AS products
    FROM report GROUP BY age ORDER BY ifnull(min(days), 1e9)`,
  'stores-per-product': `
    SELECT reported_positive_store_count AS stores, count(*) AS products FROM ${newest}
    WHERE version.last_publication IS NULL AND catalog_presence = 'listed' AND reported_positive_store_count IS NOT NULL
    GROUP BY stores ORDER BY stores`,
  'price-spread': `
    WITH litre AS (
      SELECT brand_name AS brand, price_minor * 10.0 / total_milliliters AS price FROM product_version
      WHERE last_publication IS NULL AND catalog_presence = 'listed' AND brand_name IS NOT NULL
    )
    SELECT brand, count(price) AS products, format('%.2f', min(price)) AS lowest, format('%.2f', max(price)) AS highest
    FROM litre GROUP BY brand HAVING count(price) > 1 ORDER BY max(price) / min(price) DESC, brand LIMIT 5`,
  'checked-products': `
    SELECT date(published_at) AS published, count(*) AS listed,
      format('%.1f', 100.0 * count(retrieval.product) / count(*)) AS asked_for,
      format('%.1f', 100.0 * count(*) FILTER (WHERE status = 'succeeded') / count(*)) AS observed
    FROM publication JOIN product_version AS version
        ON sequence BETWEEN version.first_publication AND ifnull(version.last_publication, sequence)
      LEFT JOIN retrieval ON retrieval.product = version.product AND retrieval.publication = sequence
    WHERE catalog_presence = 'listed' AND sequence > (SELECT max(sequence) - 6 FROM publication)
    GROUP BY sequence ORDER BY sequence`,
  'out-of-shelf': `
    WITH positive AS (
      SELECT product, store, last_publication + 1 AS ended,
        lead(first_publication) OVER (PARTITION BY product, store ORDER BY first_publication) AS again
      FROM inventory_version WHERE quantity > 0
    ), spell AS (
      SELECT julianday(next.retrieved_at) - julianday(last.retrieved_at) AS days
      FROM positive JOIN retrieval AS last ON last.product = positive.product AND last.publication = ended
        LEFT JOIN retrieval AS next ON next.product = positive.product AND next.publication = again
      WHERE again IS NOT ended
    )
    SELECT CASE WHEN days < 7 THEN 'under 7 days' WHEN days < 14 THEN '7 to 14 days' WHEN days < 28 THEN '14 to 28 days'
      WHEN days >= 28 THEN '28 days or more' ELSE 'not over yet' END AS length, count(*) AS in_a_store
    FROM spell GROUP BY length ORDER BY ifnull(min(days), 1e9)`,
  'status-changes': `
    SELECT before.status_label || ' → ' || now.status_label AS change_of_status, count(*) AS changes
    FROM ${successive} WHERE now.status_code <> before.status_code OR now.status_label <> before.status_label
    GROUP BY change_of_status ORDER BY changes DESC, change_of_status LIMIT 12`,
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
