import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalAddress } from '../../shim/node/client-address.ts';
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

  test('every IPv4 address is the same as its mapped one', () => {
    fc.assert(fc.property(fc.ipV4(), (address) => canonicalAddress(`::ffff:${address}`) === address));
  });

  test('does not change what is canonical', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const canonical = canonicalAddress(address);
        expect(canonicalAddress(canonical)).toBe(canonical);
      }),
    );
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
  ])('%s is of %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });

  test('is the same exactly for addresses with the same first 64 bits', () => {
    const group = fc.integer({ min: 0, max: 0xffff });
    const groups = fc.array(group, { minLength: 8, maxLength: 8 });
    const networkOf = (address: number[]) =>
      clientNetwork(canonicalAddress(address.map((one) => one.toString(16)).join(':')));
    fc.assert(
      fc.property(groups, groups, fc.boolean(), (one, other, isSame) => {
        const second = isSame ? [...one.slice(0, 4), ...other.slice(4)] : other;
        // A mapped address is IPv4 and has no /64.
        fc.pre([one, second].every((address) => address.slice(0, 5).some((value) => value !== 0)));
        const prefixes = [one, second].map((address) => address.slice(0, 4).join());
        expect(networkOf(one) === networkOf(second)).toBe(prefixes[0] === prefixes[1]);
      }),
    );
  });
});
