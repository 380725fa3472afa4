/**
 * The lengths in bits of the codes of symbols that occur so often, at most `limit` bits, up to the last symbol that
 * occurs. Where several sets of lengths are as short, the choice, and thus every byte, is that of the package fflate.
 */
export function codeLengths(counts: Uint16Array, limit: number): Uint8Array {
  const leaves: Node[] = [];
  for (let symbol = 0; symbol < counts.length; symbol += 1) {
    const count = counts[symbol] as number;
    if (count > 0) leaves.push({ symbol, count, children: null });
  }
  const [only] = leaves;
  const last = leaves.at(-1);
  if (only === undefined || last === undefined) return new Uint8Array(0);
  const lengths = new Uint8Array(last.symbol + 1);
  if (only === last) {
    lengths[only.symbol] = 1;
    return lengths;
  }
  const longest = setDepths(treeOf(leaves), lengths, 0);
  if (longest > limit) shorten(leaves, lengths, longest, limit);
  return lengths;
}

type Node = {
  readonly symbol: number;
  readonly count: number;
  readonly children: readonly [Node, Node] | null;
};

/** Larger than any sum of counts in a block. */
const never: Node = { symbol: -1, count: 25_001, children: null };

function treeOf(leaves: readonly Node[]): Node {
  const sorted = leaves.toSorted((a, b) => a.count - b.count);
  const joined: Node[] = [];
  let nextLeaf = 0;
  let nextJoined = 0;
  const least = (): Node => {
    const [leaf, join] = [sorted[nextLeaf] ?? never, joined[nextJoined] ?? null];
    if (join !== null && join.count < leaf.count) {
      nextJoined += 1;
      return join;
    }
    nextLeaf += 1;
    return leaf;
  };
  while (joined.length < leaves.length - 1) {
    const [left, right] = [least(), least()];
    joined.push({ symbol: -1, count: left.count + right.count, children: [left, right] });
  }
  return joined.at(-1) as Node;
}

/** Returns the depth of the deepest leaf. */
function setDepths({ symbol, children }: Node, depths: Uint8Array, depth: number): number {
  if (children !== null) {
    return Math.max(setDepths(children[0], depths, depth + 1), setDepths(children[1], depths, depth + 1));
  }
  depths[symbol] = depth;
  return depth;
}

/** Brings codes that are too long down to the limit, and makes others longer, so that all codes fit again. */
function shorten(leaves: readonly Node[], lengths: Uint8Array, longest: number, limit: number): void {
  const lengthOf = ({ symbol }: Node) => lengths[symbol] as number;
  const sorted = leaves.toSorted((a, b) => lengthOf(b) - lengthOf(a) || a.count - b.count);
  const over = longest - limit;
  let index = 0;
  let debt = 0;
  for (; index < sorted.length; index += 1) {
    const leaf = sorted[index] as Node;
    const length = lengthOf(leaf);
    if (length <= limit) break;
    debt += (1 << over) - (1 << (longest - length));
    lengths[leaf.symbol] = limit;
  }
  debt >>= over;
  while (debt > 0) {
    const leaf = sorted[index] as Node;
    const length = lengthOf(leaf);
    if (length < limit) {
      debt -= 1 << (limit - length - 1);
      lengths[leaf.symbol] = length + 1;
    } else index += 1;
  }
  for (; index >= 0 && debt !== 0; index -= 1) {
    const leaf = sorted[index] as Node;
    if (lengthOf(leaf) !== limit) continue;
    lengths[leaf.symbol] = limit - 1;
    debt += 1;
  }
}

/** The codes of such lengths (RFC 1951, 3.2.2), with their bits in the order in which they are written. */
export function codesOf(lengths: Uint8Array): Uint16Array {
  const counts = new Uint16Array(17);
  for (const length of lengths) if (length > 0) counts[length] = (counts[length] as number) + 1;
  const next = new Uint16Array(17);
  for (let length = 1; length < 16; length += 1) {
    next[length + 1] = ((next[length] as number) + (counts[length] as number)) << 1;
  }
  const codes = new Uint16Array(lengths.length);
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue;
    codes[symbol] = reversed(next[length] as number, length);
    next[length] = (next[length] as number) + 1;
  }
  return codes;
}

function reversed(code: number, length: number): number {
  let bits = 0;
  for (let index = 0; index < length; index += 1) bits |= ((code >> index) & 1) << (length - 1 - index);
  return bits;
}
