/** In pixels: the height of a mark, its width without a count, its width with a count, and the width of each digit. */
export const markHeight = 24;
const [singleWidth, countedWidth, digitWidth] = [24, 30, 8];

/** The width of a mark for `count` stores, in pixels. */
export function markWidth(count: number): number {
  return count === 1 ? singleWidth : countedWidth + digitWidth * String(count).length;
}
