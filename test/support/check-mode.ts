/** Whether this is the check or the nightly run. `npm test` runs small versions of the long tests. */
export const isCheck = process.env.SHELFPRESS_TESTS === 'all';
