import { expect, test } from 'vitest';
import { countMove, priceMove } from '../../explorer/parts/moved.tsx';
import { yearInName } from '../../explorer/products/catalog.ts';
import { pastedLine, typedProducts } from '../../explorer/products/typed-products.ts';
import { codeParameter, codesIn } from '../../explorer/site/address-query.ts';

test('a parameter holds several codes, even with commas in them', () => {
  expect(codesIn('')).toEqual([]);
  expect(codesIn('D,X,,D')).toEqual(['D', 'X']);
  for (const codes of [['D'], ['D', 'X'], ['A, B', '100 %', '%2C', 'ü']])
    expect(codesIn(codeParameter(codes))).toEqual(codes);
});

test('the year in a name follows an apostrophe, or has four digits', () => {
  const names = {
    "Chateau La Nerthe '19": 2019,
    "Fonseca Vintage Port'77": 1977,
    "Dow Bonfim'96/99": 1996,
    'Rousseau Clos de la Roche 2019': 2019,
    'San Pedro 1865 Carmenere 2017': 2017,
    'San Pedro 1865 Carmenere': null,
    'Kistler Cuvee 20190': null,
    "Captain Morgan O'5": null,
    'Gin 47': null,
  };
  for (const [name, year] of Object.entries(names)) expect([name, yearInName(name)]).toEqual([name, year]);
});

test('a text names products by SKUs between spaces, or by names between commas and lines', () => {
  expect(typedProducts(' ')).toEqual([]);
  expect(typedProducts('001204 014100,001204;002310')).toEqual(['001204', '014100', '002310']);
  expect(typedProducts('peach schnapps\nrye 90')).toEqual(['peach schnapps', 'rye 90']);
  expect(typedProducts('001204 rye')).toEqual(['001204 rye']);
  expect(pastedLine('001204\tRye\r\n014100\n')).toBe('001204, Rye, 014100');
});

test('a move says by how much, and is null without a difference', () => {
  expect(priceMove(1200, 1300)).toEqual({ isUp: true, text: 'up $1.00 (8.3 %)' });
  expect(priceMove(1299, 1249)).toEqual({ isUp: false, text: 'down $0.50 (3.8 %)' });
  expect(priceMove(0, 100)).toEqual({ isUp: true, text: 'up $1.00' });
  expect([priceMove(100, 100), priceMove(null, 100), priceMove(100, null)]).toEqual([null, null, null]);
  expect(countMove(1204, 4)).toEqual({ isUp: false, text: 'down 1,200' });
});
