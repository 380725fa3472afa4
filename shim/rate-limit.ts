/** What the rate limit allows a client. */
export type Allowance = {
  /** Seconds until the client may ask again; null if it may ask now. */
  readonly retryAfter: number | null;
  /** The quota and what is left of it; null if the host cannot tell. `window` and `reset` are in seconds. */
  readonly quota: {
    readonly points: number;
    readonly window: number;
    readonly remaining: number;
    readonly reset: number;
  } | null;
};

/**
 * Limits requests that cost more than a lookup, contract.md 6. The host implements it, because only the host knows how
 * to share the counts.
 */
export interface RateLimiter {
  /**
   * Counts a client's points: one before a request is answered, and afterwards those that it cost beyond that. `client`
   * is an address; all addresses of an IPv6 /64 count as one client.
   */
  count(client: string, points: number): Promise<Allowance>;
}

/**
 * Whose a canonical address is, as far as an address can tell. An IPv4 address stands for itself. With IPv6, a single
 * customer has at least a /64, RFC 6177, and can use another address of it for every request.
 */
export function clientNetwork(address: string): string {
  if (!address.includes(':')) return address;
  const [first = [], last = []] = address.split('::').map((groups) => groups.split(':').filter(Boolean));
  const zeros = Array<string>(8 - first.length - last.length).fill('0');
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`;
}

/** The name of the quota in the header fields. It covers selections, searches and comparisons. */
const policy = '"selections"';

/**
 * The header fields RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers): the quota and its window in
 * seconds, what is left of it, and the seconds until it is whole again. Empty if the host cannot tell.
 */
export function rateLimitFields({ quota }: Allowance): Readonly<Record<string, string>> {
  if (quota === null) return {};
  const { points, window, remaining, reset } = quota;
  return {
    'RateLimit-Policy': `${policy};q=${points};w=${window}`,
    RateLimit: `${policy};r=${remaining};t=${reset}`,
  };
}
