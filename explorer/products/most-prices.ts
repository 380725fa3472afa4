/** The most products in one chart of prices. */
export const mostPrices = 8;
