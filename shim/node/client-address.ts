import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import proxyAddr from 'proxy-addr';
import { groupsOf } from '../client-network.ts';

/** Tells the canonical address of a request's client. `peer`: the canonical address at the connection's other end. */
export type ClientAddress = (request: IncomingMessage, peer: string) => string;

/**
 * Who asks, when `trusted` names the proxies that may say so: addresses, subnets, and the names `loopback`, `linklocal`
 * and `uniquelocal`. X-Forwarded-For is read from the right, where the nearest proxy writes, up to the first address that
 * nobody vouches for; what stands left of that one may be made up. Without proxies to trust the field means nothing.
 *
 * Throws a TypeError that says what is wrong with an entry.
 */
export function clientAddress(trusted: readonly string[]): ClientAddress {
  if (trusted.length === 0) return (_request, peer) => peer;
  const trust = proxyAddr.compile([...trusted]);
  return (request, peer) => {
    // The peer first, then the proxies as far as they are trusted, and last whom the farthest of these speaks of.
    const farthest = proxyAddr.all(request, trust).findLast((address) => isIP(address) !== 0);
    return farthest === undefined ? peer : canonicalAddress(farthest);
  };
}

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

function bytesOf(group: number): number[] {
  return [group >>> 8, group & 0xff];
}
