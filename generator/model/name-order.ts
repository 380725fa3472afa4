/** What a name sorts by: its lower-cased NFC form, by Unicode code point (contract.md 3). */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Compares texts by code point, not by UTF-16 unit: the same order as their UTF-8 bytes have. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left === right) continue;
    const isLeftSurrogate = left >= 0xd800 && left <= 0xdfff;
    const isRightSurrogate = right >= 0xd800 && right <= 0xdfff;
    if (isLeftSurrogate !== isRightSurrogate) return isLeftSurrogate ? 1 : -1;
    return left < right ? -1 : 1;
  }
  return Math.sign(a.length - b.length);
}

/** By name, then id. Keys are computed once for each row. */
export function sortByName<Row extends { readonly id: string; readonly name: string }>(rows: readonly Row[]): Row[] {
  return rows
    .map((row) => ({ row, key: nameKey(row.name) }))
    .sort((a, b) => compareCodePoints(a.key, b.key) || (a.row.id < b.row.id ? -1 : 1))
    .map(({ row }) => row);
}
