/** The number of letters to add, remove, replace or swap with the next (Damerau–Levenshtein). */
export function lettersApart(a: string, b: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row];
    for (let at = 1; at <= b.length; at += 1) {
      const same = a[row - 1] === b[at - 1] ? 0 : 1;
      let least = Math.min((last[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, (last[at - 1] ?? 0) + same);
      if (row > 1 && at > 1 && a[row - 1] === b[at - 2] && a[row - 2] === b[at - 1])
        least = Math.min(least, (beforeLast[at - 2] ?? 0) + 1);
      next.push(least);
    }
    [beforeLast, last] = [last, next];
  }
  return last[b.length] ?? 0;
}
