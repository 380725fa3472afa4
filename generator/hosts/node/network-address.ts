import { isIPv6 } from 'node:net';
import { groupsOf } from '../../../shim/client-network.ts';

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
