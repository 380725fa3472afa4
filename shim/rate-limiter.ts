/** Counts what costs more than a lookup, contract.md 6. Kept by the host, which knows how to share it. */
export interface RateLimiter {
  /** Counts one request of a client. Resolves with the seconds until it may ask again, or null when it may now. */
  take(client: string): Promise<number | null>;
  /** Counts so many more, as the request took more than a plain one. It was let through already. */
  charge(client: string, points: number): Promise<void>;
}

/** Units of work that a point stands for: some ten milliseconds of a usual machine. */
const unitsPerPoint = 10_000;

/** The dearest question, in points. */
const mostPoints = 10;

/**
 * What a question counts, by the work that it took. One, unless it read a megabyte or more: a plain question reads a few
 * small files or a page or two, and a selection that reads a hundred pages counts as seven of them.
 */
export function pointsFor(units: number): number {
  return Math.min(mostPoints, 1 + Math.floor(units / unitsPerPoint));
}

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
