import fc from 'fast-check';
import { v5 } from 'uuid';
import { expect, test } from 'vitest';
import { nameBasedId } from '../../generator/publish/name-based-id.ts';

test('the example of RFC 9562, appendix A.4', () => {
  const dns = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
  expect(nameBasedId('www.example.com', dns)).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
});

test('any name has the id that the package uuid gives it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.uuid(), (name, namespace) => {
      expect(nameBasedId(name, namespace)).toBe(v5(name, namespace));
    }),
  );
});

test('names of any length, in namespaces in turn', () => {
  const namespaces = ['6ba7b810-9dad-11d1-80b4-00c04fd430c8', '2ed6657d-e927-568b-95e1-2665a8aea6a2'];
  for (const length of [0, 1, 110, 169, 170, 171, 172, 512, 513, 5000]) {
    for (const letter of ['a', 'é', '한', '😀']) {
      for (const namespace of namespaces) {
        const name = letter.repeat(length);
        expect(nameBasedId(name, namespace)).toBe(v5(name, namespace));
      }
    }
  }
});
