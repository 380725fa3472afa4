import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { canonicalAddress, clientAddress } from '../../shim/node/client-address.ts';
import { clientNetwork } from '../../shim/rate-limit.ts';

describe('canonicalAddress', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::', '::'],
    ['::1', '::1'],
    // IPv4-compatible is not IPv4-mapped.
    ['::192.0.2.1', '::c000:201'],
    ['unknown', 'unknown'],
    ['1:2', '1:2'],
  ])('%s is %s', (address, canonical) => {
    expect(canonicalAddress(address)).toBe(canonical);
  });
});

describe('clientAddress', () => {
  const addressOf = clientAddress(['loopback', '2001:db8:ffff::/48', '203.0.113.0/24']);
  const client = (field: string | undefined, peer = '127.0.0.1') =>
    addressOf({ headers: { 'x-forwarded-for': field } } as unknown as IncomingMessage, peer);

  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:4711', '192.0.2.1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:DB8:0::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['2001:db8::4711', '2001:db8::4711'],
    ['[::ffff:192.0.2.1]:80', '192.0.2.1'],
    ['192.0.2.1:80, ,', '192.0.2.1'],
    ['198.51.100.9:1, 192.0.2.1:2,203.0.113.7:3', '192.0.2.1'],
    ['198.51.100.9, [2001:db8::1]:2, [2001:db8:ffff::2]:3', '2001:db8::1'],
  ])('X-Forwarded-For: %s comes from %s', (field, address) => {
    expect(client(field)).toBe(address);
  });

  test.each([
    undefined,
    '',
    ',',
    'unknown',
    '192.0.2.1:',
    '192.0.2.1:port',
    '[192.0.2.1]:80',
    '[2001:db8::1',
    '192.0.2',
  ])('X-Forwarded-For: %s makes the proxy the client', (field) => expect(client(field)).toBe('127.0.0.1'));

  test('entries to the left of one without an address are not believed', () => {
    expect(client('192.0.2.1, unknown')).toBe('127.0.0.1');
    expect(client('192.0.2.1, unknown, 203.0.113.7:80')).toBe('203.0.113.7');
    expect(client('192.0.2.1', '198.51.100.1')).toBe('198.51.100.1');
  });
});

describe('clientNetwork', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:0:0:ffff::2', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['unknown', 'unknown'],
  ])('%s belongs to %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });
});
