/** Items by a key, each group in the order of the items. Items without a key are left out. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key | null): ReadonlyMap<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === null) continue;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
