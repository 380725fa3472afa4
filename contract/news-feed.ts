/** Entries in the news feed of a product, brand or category. */
export const mostNews = 50;
