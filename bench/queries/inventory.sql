-- The records of the inventory export: every pair that the product's last successful retrieval covered, with or
-- without a row, and the earlier observations that are still current for other pairs.
WITH
  current AS MATERIALIZED (
    SELECT unixepoch(published_at) - policy_max_age_seconds AS oldest FROM publication ORDER BY sequence DESC LIMIT 1
  ),
  latest AS (SELECT product, max(publication) AS publication FROM retrieval GROUP BY product),
  success AS MATERIALIZED (
    SELECT r.product, r.scope, r.retrieved_at
    FROM latest
      JOIN retrieval AS attempt USING (product, publication)
      JOIN retrieval AS r ON r.product = attempt.product AND r.publication = attempt.last_success
  ),
  pair AS (
    SELECT success.product, covered.store, success.retrieved_at
    FROM success JOIN inventory_scope_store AS covered USING (scope)
    UNION ALL
    SELECT o.product, o.store, r.retrieved_at
    FROM older_observation AS o
      JOIN retrieval AS r ON r.product = o.product AND r.publication = o.observed_publication
    WHERE o.last_publication IS NULL
  )
SELECT json_object(
  'record_type', 'inventory',
  'product_id', product.id,
  'agency_sku', product.sku,
  'store_id', store.id,
  'inventory_store_code', v.inventory_store_code,
  'state', CASE
    WHEN i.quantity > 0 THEN 'reported_positive'
    WHEN i.quantity = 0 THEN 'reported_zero'
    ELSE 'row_absent'
  END,
  'reported_quantity', i.quantity,
  'purchase_eligibility', i.purchase_eligibility,
  'retrieved_at', pair.retrieved_at,
  'meets_retrieval_policy', json(CASE WHEN unixepoch(pair.retrieved_at) >= current.oldest THEN 'true' ELSE 'false' END)
)
FROM pair
  CROSS JOIN current
  JOIN product ON product.product = pair.product
  JOIN store ON store.store = pair.store
  JOIN store_version AS v ON v.store = pair.store AND v.last_publication IS NULL
  LEFT JOIN inventory_version AS i
    ON i.product = pair.product AND i.store = pair.store AND i.last_publication IS NULL
ORDER BY product.id, store.id;
