/** Whether this is `npm run check`, which is exhaustive. `npm test` runs small versions of the long tests. */
export const isCheck = process.env.SHELFPRESS_TESTS === 'all';
