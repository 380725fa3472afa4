import type { Chart } from './svg-chart.ts';

/** How each result of docs/questions.md is drawn, by the name of its file in docs/charts/. */
export const questionCharts: Readonly<Record<string, Chart>> = {
  'price-changes': {
    kind: 'columns',
    title: 'Price changes by month',
    description: 'For each month, how many prices rose and how many were cut.',
    rows: { column: 'month', label: 'Month of the retrieval (UTC)' },
    series: [
      { column: 'rises', label: 'rises' },
      { column: 'cuts', label: 'cuts' },
    ],
    values: 'Prices',
  },
  'coming-and-going': {
    kind: 'columns',
    title: 'Products that came to the catalog and left it',
    description: 'For each publication, how many products were first observed, returned, and left the catalog.',
    rows: { column: 'published', label: 'Publication (UTC)' },
    series: [
      { column: 'first_observed', label: 'first observed' },
      { column: 'returned', label: 'returned' },
      { column: 'gone', label: 'left' },
    ],
    values: 'Products',
  },
  'range-of-stores': {
    kind: 'ranges',
    title: 'Range of each store, now and at its widest',
    description: 'For each store, how many products are reported there now, and the most that ever were at a time.',
    rows: { column: 'store', label: 'Store' },
    series: [
      { column: 'products_now', label: 'now' },
      { column: 'most_products', label: 'at its widest' },
    ],
    values: 'Products reported at the store',
  },
  'weekly-cycle': {
    kind: 'columns',
    title: 'Changes of reported quantities by weekday',
    description: 'For each weekday, how much reported totals of products rose and fell in an average publication.',
    rows: { column: 'weekday', label: 'Weekday of the retrieval (local time)' },
    series: [
      { column: 'more', label: 'rises of reported totals' },
      { column: 'fewer', label: 'falls of reported totals' },
    ],
    values: 'Packages a publication',
  },
  'age-of-reports': {
    kind: 'columns',
    title: 'Age of the reported inventory at the newest publication',
    description: 'How many listed products have a report of each age, and how many have none.',
    rows: { column: 'age', label: 'Time since the last successful retrieval' },
    series: [{ column: 'products', label: 'products' }],
    values: 'Listed products',
  },
  'stores-per-product': {
    kind: 'columns',
    title: 'In how many stores products are reported',
    description: 'For each number of stores, how many listed products are reported in that many.',
    rows: { column: 'stores', label: 'Stores reported to have the product' },
    series: [{ column: 'products', label: 'products' }],
    values: 'Listed products',
  },
  'price-spread': {
    kind: 'ranges',
    title: 'Prices of a litre by brand',
    description: 'For each brand with two products or more, the lowest, the median and the highest price of a litre.',
    rows: { column: 'brand', label: 'Brand' },
    series: [
      { column: 'lowest', label: 'lowest' },
      { column: 'median', label: 'median' },
      { column: 'highest', label: 'highest' },
    ],
    values: 'US dollars a litre, logarithmic',
    isLogarithmic: true,
  },
  'checked-products': {
    kind: 'columns',
    title: 'Listed products that were asked for and observed',
    description: 'For each publication, the share of listed products whose inventory was asked for and was retrieved.',
    rows: { column: 'published', label: 'Publication (UTC)' },
    series: [
      { column: 'asked_for', label: 'asked for' },
      { column: 'observed', label: 'observed' },
    ],
    values: 'Percent of listed products',
  },
  'out-of-shelf': {
    kind: 'columns',
    title: 'How long products were not reported',
    description: 'For each length, how many spells without a positive report there were in a store, and everywhere.',
    rows: { column: 'length', label: 'Length of the spell' },
    series: [
      { column: 'in_a_store', label: 'in one store' },
      { column: 'everywhere', label: 'in all stores at once' },
    ],
    values: 'Spells',
  },
  'status-changes': {
    kind: 'bars',
    title: 'Changes of the status in the catalog',
    description: 'For each pair of an earlier and a later status, how often a product changed from one to the other.',
    rows: { column: 'change_of_status', label: 'Status before and after' },
    series: [{ column: 'changes', label: 'changes' }],
    values: 'Changes',
  },
};
