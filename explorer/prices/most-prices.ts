/** So many products are in one chart of prices at most. */
export const mostPrices = 8;
