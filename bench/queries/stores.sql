-- The records of the stores export, from the current versions.
SELECT json_object(
  'record_type', 'store',
  'id', store.id,
  'inventory_store_code', v.inventory_store_code,
  'directory_id', v.directory_id,
  'name', v.name,
  'address_line1', v.line1,
  'address_line2', v.line2,
  'city', v.city,
  'region', v.region,
  'postal_code', v.postal_code,
  'country', 'US',
  'phone', v.phone,
  'telephone_uri', CASE
    WHEN v.phone GLOB '+[1-9][0-9]*' AND v.phone NOT GLOB '+*[^0-9]*' AND length(v.phone) <= 16 THEN 'tel:' || v.phone
  END,
  'geo_uri', 'geo:' || v.latitude || ',' || v.longitude,
  'latitude', v.latitude,
  'longitude', v.longitude,
  'access_type', v.access_type,
  'operational_state', v.operational_state,
  'operational_note', v.operational_note,
  'operational_source', v.operational_source,
  'services', json(v.services),
  'regular_hours_available', json(CASE WHEN v.regular_hours IS NULL THEN 'false' ELSE 'true' END),
  'regular_hours', v.regular_hours,
  'directory_presence_state', v.presence_state,
  'directory_last_seen_at', v.presence_last_seen_at,
  'details_source_updated_at', observed.directory_source_updated_at,
  'details_retrieved_at', observed.directory_retrieved_at,
  'details_published_at', observed.published_at
)
FROM store
  JOIN store_version AS v ON v.store = store.store AND v.last_publication IS NULL
  JOIN publication AS current ON current.sequence = (SELECT max(sequence) FROM publication)
  JOIN publication AS observed ON observed.sequence = ifnull(v.observed_publication, current.directory_publication)
ORDER BY store.id;
