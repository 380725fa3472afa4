/* Words of the contract: the values that a parameter, a path or a field may have. Schemas use them. */

/** Types of change events (contract.md 7). */
export const changeTypes = [
  'product_first_observed',
  'price_changed',
  'status_changed',
  'product_presentation_changed',
  'aggregate_inventory_changed',
  'store_inventory_first_observed',
  'store_inventory_changed',
  'catalog_presence_changed',
] as const;
export type ChangeType = (typeof changeTypes)[number];

/** Types whose events concern a store (contract.md 7). */
export const storeChangeTypes: readonly ChangeType[] = ['store_inventory_first_observed', 'store_inventory_changed'];

export const searchKinds = ['product', 'product_family', 'brand', 'store'] as const;
export type SearchKind = (typeof searchKinds)[number];

export const strategyNames = [
  'best_single_store',
  'closest_store_with_any',
  'closest_complete_store',
  'fewest_stores_complete',
  'best_partial_plan',
] as const;
export type StrategyName = (typeof strategyNames)[number];

export const inventoryAges = ['within_policy', 'any_age'] as const;
export const purchaseEligibilityModes = ['eligible', 'any'] as const;

/** Files of a publication, as NDJSON and as Parquet. */
export const exportResources = ['products', 'stores', 'inventory'] as const;
export type ExportResource = (typeof exportResources)[number];
export const publicationTables = ['products', 'stores', 'inventory', 'daily'] as const;
export type PublicationTable = (typeof publicationTables)[number];

export const icebergTables = ['products', 'stores', 'inventory', 'daily', 'changes'] as const;
export type IcebergTable = (typeof icebergTables)[number];

/** The most characters that a cursor has. */
export const cursorLimit = 2048;

/** The id of a category, as a regular expression. */
export const categoryPattern = 'cat_[a-z0-9_]+';

/** A month, as a regular expression. */
export const monthPattern = '[0-9]{4}-(?:0[1-9]|1[0-2])';
