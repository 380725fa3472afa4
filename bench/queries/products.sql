-- The records of the products export: every product ever listed, with the result of its last retrieval in the stores
-- that availability summaries count.
WITH
  current AS MATERIALIZED (SELECT * FROM publication ORDER BY sequence DESC LIMIT 1),
  scoped AS MATERIALIZED (
    SELECT store FROM store_version
    WHERE last_publication IS NULL AND operational_state <> 'permanently_closed'
      AND ifnull(presence_state, '') <> 'reviewed_retired'
  ),
  latest AS (SELECT product, max(publication) AS publication FROM retrieval GROUP BY product),
  attempt AS MATERIALIZED (
    SELECT a.product, a.attempted_at, a.status, s.scope, s.retrieved_at
    FROM latest
      JOIN retrieval AS a USING (product, publication)
      LEFT JOIN retrieval AS s ON s.product = a.product AND s.publication = a.last_success
  ),
  pair AS (
    SELECT attempt.product, covered.store, attempt.retrieved_at
    FROM attempt JOIN inventory_scope_store AS covered USING (scope) JOIN scoped USING (store)
    UNION ALL
    SELECT o.product, o.store, r.retrieved_at
    FROM older_observation AS o
      JOIN scoped USING (store)
      JOIN retrieval AS r ON r.product = o.product AND r.publication = o.observed_publication
    WHERE o.last_publication IS NULL
  ),
  summary AS MATERIALIZED (
    SELECT pair.product, count(*) AS pairs, ifnull(sum(i.quantity > 0), 0) AS positive,
      ifnull(sum(i.purchase_eligibility = 'eligible'), 0) AS eligible, ifnull(sum(i.quantity = 0), 0) AS zero,
      sum(i.quantity IS NULL) AS row_absent,
      min(rtrim(pair.retrieved_at, 'Z')) || 'Z' AS oldest, max(rtrim(pair.retrieved_at, 'Z')) || 'Z' AS newest
    FROM pair LEFT JOIN inventory_version AS i
      ON i.product = pair.product AND i.store = pair.store AND i.last_publication IS NULL
    GROUP BY pair.product
  ),
  former AS MATERIALIZED (
    SELECT sku, json_group_array(former_sku) AS codes
    FROM (SELECT sku, former_sku FROM former_sku WHERE last_publication IS NULL ORDER BY sku, former_sku)
    GROUP BY sku
  )
SELECT json_object(
  'record_type', 'product',
  'id', p.id,
  'agency_sku', p.sku,
  'name', v.name,
  'brand', v.brand_name,
  'brand_id', v.brand_id,
  'family_id', CASE WHEN v.catalog_presence = 'listed' THEN v.family_id END,
  'category_ids', CASE WHEN v.category_id IS NULL THEN json_array() ELSE json_array(v.category_id) END,
  'former_skus', json(ifnull(former.codes, '[]')),
  'package_milliliters', nullif(v.size_ml, 0),
  'package_container_count', v.container_count,
  'package_unit_milliliters', v.unit_milliliters,
  'package_total_milliliters', v.total_milliliters,
  'package_display', v.package_display,
  'package_interpretation', v.package_interpretation,
  'package_basis', v.package_basis,
  'package_normalization_state', v.normalization_state,
  'price_amount_minor', v.price_minor,
  'price_currency', iif(v.price_minor IS NULL, NULL, 'USD'),
  'price_display', iif(v.price_minor IS NULL, NULL, printf('$%d.%02d', v.price_minor / 100, v.price_minor % 100)),
  'price_source', iif(v.price_minor IS NULL, NULL, v.price_source),
  'price_source_updated_at', iif(v.price_minor IS NULL, NULL, observed.catalog_source_updated_at),
  'price_retrieved_at', iif(v.price_minor IS NULL, NULL, observed.catalog_retrieved_at),
  'price_published_at', iif(v.price_minor IS NULL, NULL, observed.published_at),
  'status_code', v.status_code,
  'status_label', v.status_label,
  'status_source_raw', v.status_raw,
  'lifecycle', v.lifecycle,
  'catalog_presence', v.catalog_presence,
  'inventory_retrieved_at', attempt.retrieved_at,
  'scope_store_count', (SELECT count(*) FROM scoped),
  'reported_positive_store_count', ifnull(summary.positive, 0),
  'eligible_positive_store_count', ifnull(summary.eligible, 0),
  'reported_zero_store_count', ifnull(summary.zero, 0),
  'row_absent_store_count', ifnull(summary.row_absent, 0),
  'unchecked_store_count', (SELECT count(*) FROM scoped) - ifnull(summary.pairs, 0),
  'inventory_retrieved_at_min', summary.oldest,
  'inventory_retrieved_at_max', summary.newest,
  'retrieval_policy_id', current.policy_id,
  'meets_retrieval_policy', json(CASE
    WHEN unixepoch(current.published_at) - unixepoch(attempt.retrieved_at) <= current.policy_max_age_seconds THEN 'true'
    ELSE 'false'
  END),
  'upstream_age_known', json('false'),
  'last_refresh_attempted_at', attempt.attempted_at,
  'last_refresh_status', attempt.status
)
FROM product AS p
  JOIN product_version AS v ON v.product = p.product AND v.last_publication IS NULL
  CROSS JOIN current
  JOIN publication AS observed ON observed.sequence = ifnull(v.observed_publication, current.catalog_publication)
  LEFT JOIN attempt ON attempt.product = p.product
  LEFT JOIN summary ON summary.product = p.product
  LEFT JOIN former ON former.sku = p.sku
ORDER BY p.id;
