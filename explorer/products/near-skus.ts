/** The most SKUs to suggest. */
const mostNear = 3;

/** SKUs that may have been meant: with different leading zeros, then longer ones, then those with one typo. */
export function nearSkus(asked: string, skus: readonly string[]): string[] {
  const wanted = asked.trim().toUpperCase();
  if (wanted === '') return [];
  const digits = withoutZeros(wanted);
  const isNear = [
    (sku: string) => withoutZeros(sku) === digits,
    (sku: string) => sku.startsWith(wanted),
    (sku: string) => isOneSlip(wanted, sku),
  ];
  const found = new Set<string>();
  for (const holds of isNear) for (const sku of skus) if (sku !== wanted && holds(sku)) found.add(sku);
  return [...found].slice(0, mostNear);
}

function withoutZeros(sku: string): string {
  return sku.replace(/^0+/, '');
}

/** Whether one character differs, or two neighbours are swapped. */
function isOneSlip(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  const apart = [...a].flatMap((character, at) => (character === b[at] ? [] : [at]));
  const [first = 0, second] = apart;
  if (second === undefined) return apart.length === 1;
  return apart.length === 2 && second === first + 1 && a[first] === b[second] && a[second] === b[first];
}
