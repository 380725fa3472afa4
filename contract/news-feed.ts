/** The most entries that the news feed of a product, brand or category has. */
export const mostNews = 50;
