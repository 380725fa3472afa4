/** Whether this is `npm run check` or `npm run nightly`, which are thorough. `npm test` runs small versions of the long tests. */
export const isCheck = process.env.SHELFPRESS_TESTS === 'all';
