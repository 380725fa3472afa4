/**
 * Who a canonical address belongs to, as far as an address can tell: an IPv4 address stands for itself; of IPv6 a single
 * customer has at least a /64, RFC 6177, and may come from another address of it with every request.
 */
export function clientNetwork(address: string): string {
  if (!address.includes(':')) return address;
  return `${groupsOf(address)
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The eight groups of a canonical IPv6 address. */
export function groupsOf(address: string): number[] {
  const [head = '', tail = ''] = address.split('::');
  const [first, last] = [numbersIn(head), numbersIn(tail)];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

function numbersIn(groups: string): number[] {
  return groups === '' ? [] : groups.split(':').map((group) => Number.parseInt(group, 16));
}
