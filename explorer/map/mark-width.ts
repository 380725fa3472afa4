/** How high a mark is in pixels, and how wide: alone, with a count, and more for each digit of it. */
export const markHeight = 24;
const [singleWidth, countedWidth, digitWidth] = [24, 30, 8];

/** The pixels from edge to edge of a mark of so many stores. */
export function markWidth(count: number): number {
  return count === 1 ? singleWidth : countedWidth + digitWidth * String(count).length;
}
