import { isIPv6 } from 'node:net';

/**
 * An IP address in its one canonical spelling: IPv6 as RFC 5952 has it and without a zone, an IPv4-mapped one
 * (`::ffff:192.0.2.1`, RFC 4291 2.5.5.2) as the IPv4 address that it stands for. Anything else stays as it is.
 */
export function canonicalAddress(address: string): string {
  // Most clients are IPv4 ones, and their addresses have one spelling only.
  if (!address.includes(':') || !isIPv6(address)) return address;
  const [withoutZone = ''] = address.split('%');
  const { hostname } = new URL(`http://[${withoutZone}]`);
  const groups = groupsOf(hostname.slice(1, -1));
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  return isMapped ? groups.slice(6).flatMap(bytesOf).join('.') : hostname.slice(1, -1);
}

/**
 * Who a canonical address belongs to, as far as an address can tell: an IPv4 address stands for itself; of IPv6 a single
 * customer has at least a /64, RFC 6177, and may come from another address of it with every request.
 */
export function clientNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  return `${groupsOf(address)
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The eight groups of a canonical IPv6 address. */
function groupsOf(address: string): number[] {
  const [head = '', tail = ''] = address.split('::');
  const [first, last] = [numbersIn(head), numbersIn(tail)];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

function numbersIn(groups: string): number[] {
  return groups === '' ? [] : groups.split(':').map((group) => Number.parseInt(group, 16));
}

function bytesOf(group: number): number[] {
  return [group >>> 8, group & 0xff];
}
