import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Catalog, FilterChoice } from '../../explorer/products/catalog.ts';
import { CategoryTree } from '../../explorer/products/categories.tsx';
import { type Filters, filtered, filterNames } from '../../explorer/products/filters.ts';

const tree = new CategoryTree(
  [
    ['a', null],
    ['b', 'a'],
    ['c', null],
  ].map(([id, parent_id]) => ({ id, name: id, parent_id })) as never,
);
const keys = { category: ['a', 'b', 'c'], brand: ['x', 'y'], size: ['750'], year: ['2019'], status: ['G', 'L'] };
const under: Readonly<Record<string, readonly string[]>> = { a: ['a', 'b'] };
const none = Object.fromEntries(filterNames.map((name) => [name, ''])) as Filters;

type Product = { readonly [choice in FilterChoice]: number } & {
  readonly price: number | null;
  readonly isHere: boolean;
};
const place = (choice: FilterChoice) => fc.integer({ min: -1, max: keys[choice].length - 1 });
const product = fc.record({
  ...{ category: place('category'), brand: place('brand'), size: place('size') },
  ...{ year: place('year'), status: place('status') },
  ...{ price: fc.option(fc.integer({ min: 0, max: 30 })), isHere: fc.boolean() },
});
const asked = (choice: FilterChoice) => fc.constantFrom('', 'unknown', ...keys[choice]);
const question = fc.record({
  ...{ category: asked('category'), brand: asked('brand'), size: asked('size') },
  ...{ year: asked('year'), status: fc.constantFrom('', 'unknown', 'G', 'L', 'G,L') },
  ...{ from: fc.constantFrom('', '0.1', 'dear'), to: fc.constantFrom('', '0.2') },
});

const choices = Object.keys(keys) as FilterChoice[];
const passes = (one: Product, filters: Filters, isLeftOut: (choice: FilterChoice) => boolean) =>
  one.isHere &&
  (filters.from !== '0.1' || (one.price ?? -1) >= 10) &&
  (filters.to !== '0.2' || (one.price ?? 99) <= 20) &&
  choices.every((choice) => {
    const wanted = filters[choice];
    const accepted = choice === 'status' ? wanted.split(',') : (under[wanted] ?? [wanted]);
    return isLeftOut(choice) || wanted === '' || accepted.includes(keys[choice][one[choice]] ?? '');
  });

test('rows pass every filter, and a value counts what passes all filters but its own', () => {
  fc.assert(
    fc.property(fc.array(product, { maxLength: 12 }), question, (products, given) => {
      const filters = { ...none, ...given };
      const catalog = {
        index: { document: { count: products.length }, price: (at: number) => products[at]?.price ?? null },
        tree,
        options: Object.fromEntries(choices.map((choice) => [choice, keys[choice].map((key) => ({ key }))])),
        values: Object.fromEntries(choices.map((choice) => [choice, Int32Array.from(products, (one) => one[choice])])),
      } as unknown as Catalog;
      const order = Int32Array.from(products, (_, at) => products.length - 1 - at);
      const here = Uint8Array.from(products, ({ isHere }) => Number(isHere));
      const { rows, counts } = filtered(catalog, filters, order, here);
      expect(rows).toEqual(
        [...order].filter((at) => products[at] !== undefined && passes(products[at], filters, () => false)),
      );
      for (const choice of choices) {
        const others = products.filter((one) => passes(one, filters, (left) => left === choice));
        const isOf = (key: string) => (one: Product) =>
          (choice === 'category' ? (under[key] ?? [key]) : [key]).includes(keys[choice][one[choice]] ?? '');
        expect([...Array.from(counts[choice])]).toEqual(keys[choice].map((key) => others.filter(isOf(key)).length));
      }
    }),
  );
});
