import { expect, test } from 'vitest';
import { skusIn } from '../../explorer/products/asked-skus.ts';
import { isSameList, mostProducts } from '../../explorer/products/own-trip.ts';

test('a list of SKUs is read once each, without invalid ones, up to the size of a trip', () => {
  expect(skusIn('', mostProducts)).toEqual([]);
  expect(skusIn('014100,001204,014100,12,<b>,,001311', mostProducts)).toEqual(['014100', '001204', '001311']);
  const many = Array.from({ length: 30 }, (_, number) => String(100_000 + number));
  expect(skusIn(many.join(), mostProducts)).toEqual(many.slice(0, mostProducts));
});

test('two lists are the same trip whatever their order', () => {
  expect(isSameList([], [])).toBe(true);
  expect(isSameList(['014100', '001204'], ['001204', '014100'])).toBe(true);
  expect(isSameList(['014100'], ['014100', '001204'])).toBe(false);
  expect(isSameList(['014100', '001204'], ['014100', '001311'])).toBe(false);
});
