/** A count as people read it: `1,000,000`. */
export function countText(count: number): string {
  return count.toLocaleString('en-US');
}

/** A count and its noun, in the plural unless it is one: `1 fault`, `12 faults`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${countText(count)} ${count === 1 ? noun : plural}`;
}
