import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from 'proxy-addr';
import { canonicalAddress } from './network-address.ts';

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
