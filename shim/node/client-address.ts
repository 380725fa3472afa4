import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4, isIPv6 } from 'node:net';
import proxyAddr from 'proxy-addr';

/**
 * Returns the canonical address of a request's client. `peer`: the address at the other end of the connection.
 * `anonymizes`: why all clients behind the peer count as one, in a sentence; null if they do not.
 */
export type ClientAddress = ((request: IncomingMessage, peer: string) => string) & {
  readonly anonymizes: (request: IncomingMessage, peer: string) => string | null;
};

/**
 * Finds the client's address, given the proxies that are trusted to set X-Forwarded-For: addresses, subnets, and the
 * names `loopback`, `linklocal` and `uniquelocal`. Reads the field from the right, where the nearest proxy writes, up
 * to the first address that is not a trusted proxy. Anything to the left of that could be forged. Some proxies also
 * write the client's port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. Without trusted proxies, the field is ignored.
 *
 * Throws a TypeError that says what is wrong with an entry.
 */
export function clientAddress(trusted: readonly string[]): ClientAddress {
  if (trusted.length === 0)
    return Object.assign((_request: IncomingMessage, peer: string) => peer, { anonymizes: ignored });
  const trust = proxyAddr.compile([...trusted]);
  const addressOf = (request: IncomingMessage, peer: string) => {
    const field = [request.headers['x-forwarded-for'] ?? []].flat().join();
    const entries = field.split(',').map((entry) => entry.trim());
    const reported = entries.filter((entry) => entry !== '').map(withoutPort);
    let farthest = peer;
    for (const address of reported.reverse()) {
      if (!trust(farthest, 0) || isIP(address) === 0) break;
      farthest = address;
    }
    return canonicalAddress(farthest);
  };
  const anonymizes = (request: IncomingMessage, peer: string) =>
    trust(peer, 0) && addressOf(request, peer) === canonicalAddress(peer)
      ? `the proxy at ${peer} names no client in X-Forwarded-For, so everyone behind it shares one rate limit; let it send the field`
      : null;
  return Object.assign(addressOf, { anonymizes });
}

function ignored(request: IncomingMessage, peer: string): string | null {
  return request.headers['x-forwarded-for'] === undefined
    ? null
    : `X-Forwarded-For of ${peer} is ignored, so everyone behind it shares one rate limit; if it is your proxy, name it with --trust-proxy`;
}

/** The address of `192.0.2.1:4711`, `[2001:db8::1]:4711` or `[2001:db8::1]`. Returns any other text unchanged. */
function withoutPort(entry: string): string {
  const [, bracketed, bare] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/.exec(entry) ?? [];
  if (bracketed !== undefined && isIPv6(bracketed)) return bracketed;
  return bare !== undefined && isIPv4(bare) ? bare : entry;
}

/**
 * An IP address in its canonical spelling. IPv6 is written as in RFC 5952 and without a zone; an IPv4-mapped address
 * (`::ffff:192.0.2.1`, RFC 4291 2.5.5.2) is written as the IPv4 address. Returns any other text unchanged.
 */
export function canonicalAddress(address: string): string {
  if (!isIPv6(address)) return address;
  const [withoutZone = ''] = address.split('%');
  const { hostname } = new URL(`http://[${withoutZone}]`);
  const [, ...mapped] = /^\[::ffff:([\da-f]+):([\da-f]+)\]$/.exec(hostname) ?? [];
  if (mapped.length === 0) return hostname.slice(1, -1);
  return mapped.flatMap((group) => [...Buffer.from(group.padStart(4, '0'), 'hex')]).join('.');
}
