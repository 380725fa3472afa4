import type { Chart } from './svg-chart.ts';

/** How each result of docs/questions.md is drawn, by the name of its file in docs/charts/. */
export const questionCharts: Readonly<Record<string, Chart>> = {
  'price-changes': {
    kind: 'columns',
    description: 'For each month, how many prices rose and how many were cut.',
    rows: { column: 'month', label: 'Month of the retrieval (UTC)' },
    series: { rises: 'rises', cuts: 'cuts' },
    values: 'Prices',
  },
  'coming-and-going': {
    kind: 'columns',
    description: 'For each publication, how many products were first observed, returned, and left the catalog.',
    rows: { column: 'published', label: 'Publication (UTC)' },
    series: { first_observed: 'first observed', returned: 'returned', gone: 'left' },
    values: 'Products',
  },
  'range-of-stores': {
    kind: 'ranges',
    description: 'For each store, how many products are reported there now, and the most that ever were at a time.',
    rows: { column: 'store', label: 'Store' },
    series: { products_now: 'now', most_products: 'at its widest' },
    values: 'Products reported at the store',
  },
  'weekly-cycle': {
    kind: 'columns',
    description: 'For each weekday, how much reported totals of products rose and fell in an average publication.',
    rows: { column: 'weekday', label: 'Weekday of the retrieval (local time)' },
    series: { more: 'rises of reported totals', fewer: 'falls of reported totals' },
    values: 'Packages a publication',
  },
  'age-of-reports': {
    kind: 'columns',
    description: 'How many listed products have a report of each age, and how many have none.',
    rows: { column: 'age', label: 'Time since the last successful retrieval' },
    series: { products: 'products' },
    values: 'Listed products',
  },
  'stores-per-product': {
    kind: 'columns',
    description: 'For each number of stores, how many listed products are reported in that many.',
    rows: { column: 'stores', label: 'Stores reported to have the product' },
    series: { products: 'products' },
    values: 'Listed products',
  },
  'price-spread': {
    kind: 'ranges',
    description: 'For each brand with two products or more, the lowest, the median and the highest price of a litre.',
    rows: { column: 'brand', label: 'Brand' },
    series: { lowest: 'lowest', median: 'median', highest: 'highest' },
    values: 'US dollars a litre, logarithmic',
    isLogarithmic: true,
  },
  'checked-products': {
    kind: 'columns',
    description: 'For each publication, the share of listed products whose inventory was asked for and was retrieved.',
    rows: { column: 'published', label: 'Publication (UTC)' },
    series: { asked_for: 'asked for', observed: 'observed' },
    values: 'Percent of listed products',
  },
  'out-of-shelf': {
    kind: 'columns',
    description: 'For each length, how many spells without a positive report there were in a store, and everywhere.',
    rows: { column: 'length', label: 'Length of the spell' },
    series: { in_a_store: 'in one store', everywhere: 'in all stores at once' },
    values: 'Spells',
  },
  'status-changes': {
    kind: 'bars',
    description: 'For each pair of an earlier and a later status, how often a product changed from one to the other.',
    rows: { column: 'change_of_status', label: 'Status before and after' },
    series: { changes: 'changes' },
    values: 'Changes',
  },
};
