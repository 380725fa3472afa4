import { workbook } from './workbook-writer.ts';

/**
 * Files of invented agencies, of shapes that no bundled recipe has, and what is true of them. Their rows follow from
 * numbers alone.
 */

/** A product as its agency would state it. */
export type TrueProduct = {
  readonly sku: string;
  readonly name: string;
  readonly size_ml: number;
  readonly price_minor: number;
  readonly pack_count?: number;
  readonly alcohol_by_volume?: number;
  readonly country_of_origin?: string;
  readonly producer?: string;
  readonly vintage?: number;
  readonly gtin?: string;
};

/** The columns of fields, for a person to answer with: `products.sku`. */
type Columns = Readonly<Record<string, string>>;

export type InventedAgency = {
  readonly name: string;
  readonly stated: { readonly currency: string; readonly country: string; readonly zone: string };
  /** Parts of tables, for a person to answer with. */
  readonly parts: Readonly<Record<string, string>>;
  /** `isPlain`: the columns are called c1, c2 and so on. */
  readonly files: (isPlain: boolean) => Readonly<Record<string, string | Uint8Array>>;
  readonly columns: (isPlain: boolean) => Columns;
  readonly products: readonly TrueProduct[];
  /** The quantities by product and store: `1001 at 7`. Null for an agency without. */
  readonly stock: ReadonlyMap<string, number> | null;
  /** The cases of a quantity, by the unit that a person answers with. */
  readonly unit?: string;
};

const kinds = ['Vodka', 'Gin', 'Rye', 'Rum', 'Brandy', 'Cider', 'Porter'];
const places = ['Birch', 'Lark', 'Quill', 'Fenwick', 'Harrow', 'Tarn', 'Wren', 'Elm', 'Moss', 'Reed', 'Stone'];
const countries = ['France', 'Norway', 'Chile', 'Japan'];
const bottles = [50, 350, 375, 700, 750, 1000, 1750];

const pick = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item;

/** A bar code with its check digit. */
function gtinOf(index: number): string {
  const body = String(590_000_000_000 + index * 137);
  const sum = [...body].reverse().reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}

const nameOf = (index: number) => `${pick(places, index)} ${pick(kinds, index * 3)} No ${index}`;
const sizeOf = (index: number) => pick(bottles, index * 5 + (index >> 3));
const centsOf = (index: number) => Math.round(sizeOf(index) * (1.4 + ((index * 37) % 29) / 11)) + ((index * 7) % 50);
const alcoholOf = (index: number) => pick([40, 37.5, 43, 5.2, 12.5, 45.8], index * 5 + (index >> 2));

const count = 120;
const numbers = Array.from({ length: count }, (_, index) => index);
const text = (rows: readonly (readonly (string | number)[])[], sign: string) =>
  `${rows.map((row) => row.join(sign)).join('\n')}\n`;
const comma = (value: number, digits: number) => value.toFixed(digits).replace('.', ',');
const plain = (names: readonly string[], isPlain: boolean) =>
  isPlain ? names.map((_, index) => `c${index + 1}`) : names;
const columnsOf = (names: readonly string[], isPlain: boolean, fields: Columns): Columns =>
  Object.fromEntries(
    Object.entries(fields).map(([field, name]) => [field, plain(names, isPlain)[names.indexOf(name)] ?? '']),
  );

/** Letters of Polish in windows-1250. */
const east: Readonly<Record<string, number>> = {
  ą: 0xb9,
  ę: 0xea,
  ł: 0xb3,
  ó: 0xf3,
  ś: 0x9c,
  ż: 0xbf,
  ź: 0x9f,
  Ż: 0xaf,
};

function windows1250(content: string): Uint8Array {
  return Uint8Array.from([...content], (letter) => east[letter] ?? letter.charCodeAt(0));
}

const polishNames = ['Indeks', 'Nazwa towaru', 'Poj.', 'Cena brutto', 'Cena za litr', 'Moc', 'Kraj', 'EAN', 'Grupa'];
const polishProducts = numbers.map((index) => ({
  sku: String(31_000 + 17 * index),
  name: `Wódka Żubr łąkowa ${nameOf(index)}`,
  size_ml: sizeOf(index),
  price_minor: centsOf(index) * 3,
  alcohol_by_volume: alcoholOf(index),
  country_of_origin: pick(countries, index * 3),
  gtin: gtinOf(index),
}));

/** Decimal commas, windows-1250, and a price per liter beside the price. */
const polish: InventedAgency = {
  name: 'a Polish list with decimal commas',
  stated: { currency: 'PLN', country: 'PL', zone: 'Europe/Warsaw' },
  parts: {},
  files: (isPlain) => ({
    'cennik-2025-03-01.csv': windows1250(
      text(
        [
          plain(polishNames, isPlain),
          ...polishProducts.map((one, index) => [
            ...[one.sku, one.name, comma(one.size_ml / 1000, 3), comma(one.price_minor / 100, 2)],
            ...[comma((one.price_minor / one.size_ml) * 10, 2), comma(one.alcohol_by_volume, 1)],
            ...[one.country_of_origin, one.gtin, pick(kinds, index * 3)],
          ]),
        ],
        ';',
      ),
    ),
  }),
  columns: (isPlain) =>
    columnsOf(polishNames, isPlain, {
      'products.sku': 'Indeks',
      'products.source_name': 'Nazwa towaru',
      'products.size_ml': 'Poj.',
      'products.price_minor': 'Cena brutto',
      'products.category_id': 'Grupa',
    }),
  products: polishProducts,
  stock: null,
};

const fixedNames = ['ITEM', 'DESCRIPTION', 'BTL', 'PK', 'RETAIL', 'CASE PRICE'];
const fixedProducts = numbers.map((index) => ({
  sku: String(2001 + 3 * index).padStart(6, '0'),
  name: nameOf(index).toUpperCase(),
  size_ml: sizeOf(index),
  price_minor: centsOf(index),
}));

/** Columns at fixed places, and the price of a case beside that of a bottle. */
const fixed: InventedAgency = {
  name: 'a printed list of fixed width',
  stated: { currency: 'USD', country: 'US', zone: 'America/Boise' },
  parts: {},
  files: (isPlain) => {
    const line = ([code = '', name = '', size = '', pack = '', price = '', whole = '']: readonly string[]) =>
      code.padEnd(8) + name.padEnd(36) + size.padStart(6) + pack.padStart(5) + price.padStart(10) + whole.padStart(12);
    const rows = fixedProducts.map(({ sku, name, size_ml, price_minor }, index) => {
      const pack = pick([6, 12, 24], index * 5);
      return line([
        sku,
        name,
        String(size_ml),
        String(pack),
        (price_minor / 100).toFixed(2),
        ((price_minor * pack) / 100).toFixed(2),
      ]);
    });
    return { 'pricelist.txt': `${[line(plain(fixedNames, isPlain)), ...rows].join('\n')}\n` };
  },
  columns: (isPlain) =>
    columnsOf(fixedNames, isPlain, {
      'products.sku': 'ITEM',
      'products.source_name': 'DESCRIPTION',
      'products.size_ml': 'BTL',
      'products.price_minor': 'RETAIL',
    }),
  products: fixedProducts,
  stock: null,
};

const nestedProducts = numbers.map((index) => ({
  sku: `A${5000 + 11 * index}`,
  name: nameOf(index),
  size_ml: sizeOf(index),
  price_minor: centsOf(index) * 2,
  producer: `${pick(places, index * 5)} Distillers Ltd`,
}));
const shops = ['Tarn Hill', 'Wren Square', 'Old Harbour'];
const stockOf = (index: number) => shops.map((shop, at) => ({ shop, left: (index * 7 + at * 5) % 23 }));

/** One JSON document with two lists, nested objects, the stock within, and stores by name. */
const nested: InventedAgency = {
  name: 'nested objects of JSON',
  stated: { currency: 'GBP', country: 'GB', zone: 'Europe/London' },
  parts: { 'feed.json, /data/items, c5': 'inventory', 'feed.json, /data/shops': 'stores' },
  files: (isPlain) => {
    const renamed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(renamed);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.values(value).map((inner, index) => [`c${index + 1}`, renamed(inner)]));
    };
    const items = nestedProducts.map((one, index) => ({
      code: one.sku,
      text: { title: one.name, maker: one.producer },
      bottle: { volume: `${one.size_ml / 10} cl` },
      cost: { amount: one.price_minor / 100, unit: 'GBP' },
      stock: stockOf(index),
    }));
    const directory = shops.map((name, index) => ({
      name,
      street: `${index + 1} High Street`,
      town: pick(['Harrow', 'Fenwick', 'Lark'], index),
      kind: 'shop',
    }));
    const lists = isPlain ? [renamed(items), renamed(directory)] : [items, directory];
    return { 'feed.json': JSON.stringify({ made: '2025-03-01', data: { items: lists[0], shops: lists[1] } }) };
  },
  columns: (isPlain) =>
    isPlain
      ? {
          'products.sku': 'c1',
          'products.source_name': 'c2.c1',
          'products.size_ml': 'c3.c1',
          'products.price_minor': 'c4.c1',
          'inventory.sku': 'c1',
          'inventory.store': 'c5.c1',
          'inventory.quantity': 'c5.c2',
          'stores.name': 'c1',
          'stores.inventory_store_code': 'c1',
          'stores.address.line1': 'c2',
          'stores.address.city': 'c3',
        }
      : {
          'stores.name': 'name',
          'stores.address.line1': 'street',
          'inventory.store': 'stock.shop',
          'inventory.quantity': 'stock.left',
        },
  products: nestedProducts,
  stock: new Map(
    nestedProducts.flatMap(({ sku }, index) =>
      stockOf(index).map(({ shop, left }) => [`${sku} at ${shop.toUpperCase().replace(' ', '-')}`, left] as const),
    ),
  ),
};

const listNames = ['Item', 'Title', 'Litres', 'Maker', 'Style'];
const priceNames = ['Item', 'Price', 'Was'];
const unitsNames = ['Item', 'Shop', 'Units'];
const shopNames = ['Shop', 'Shop name', 'Street', 'Town'];
const joinedProducts = numbers.map((index) => ({
  sku: String(700_100 + 19 * index),
  name: nameOf(index),
  size_ml: sizeOf(index),
  price_minor: centsOf(index),
  producer: `${pick(places, index * 5)} & Sons`,
}));
const codes = ['104', '117', '230', '301'];
const unitsOf = (index: number) => codes.map((shop, at) => [shop, (index * 11 + at * 3) % 31] as const);

/** Products and their prices in two files, the stock in a third, and the stores in a fourth. */
const joined: InventedAgency = {
  name: 'files that codes join',
  stated: { currency: 'NZD', country: 'NZ', zone: 'Pacific/Auckland' },
  parts: { 'shops.csv': 'stores' },
  files: (isPlain) => ({
    'list.csv': text(
      [
        plain(listNames, isPlain),
        ...joinedProducts.map((one, index) => [
          ...[one.sku, one.name, one.size_ml / 1000, one.producer, pick(kinds, index * 3)],
        ]),
      ],
      ',',
    ),
    'prices.csv': text(
      [
        plain(priceNames, isPlain),
        ...joinedProducts.map(({ sku, price_minor }, index) => [
          ...[sku, (price_minor / 100).toFixed(2), index % 3 === 0 ? ((price_minor + 150) / 100).toFixed(2) : ''],
        ]),
      ],
      ',',
    ),
    'units.csv': text(
      [
        plain(unitsNames, isPlain),
        ...joinedProducts.flatMap(({ sku }, index) => unitsOf(index).map(([shop, units]) => [sku, shop, units])),
      ],
      ',',
    ),
    'shops.csv': text(
      [
        plain(shopNames, isPlain),
        ...codes.map((code, index) => [
          code,
          `${pick(places, index * 2)} Store`,
          `${index + 3} Main Street`,
          pick(places, index),
        ]),
      ],
      ',',
    ),
  }),
  columns: (isPlain) => ({
    ...columnsOf(listNames, isPlain, {
      'products.sku': 'Item',
      'products.source_name': 'Title',
      'products.size_ml': 'Litres',
      'products.category_id': 'Style',
    }),
    ...(isPlain ? { 'products.price_minor': 'prices.c2' } : { 'products.price_minor': 'prices.Price' }),
    ...columnsOf(unitsNames, isPlain, { 'inventory.store': 'Shop', 'inventory.quantity': 'Units' }),
    ...columnsOf(shopNames, isPlain, {
      'stores.name': 'Shop name',
      'stores.address.line1': 'Street',
      'stores.address.city': 'Town',
    }),
  }),
  products: joinedProducts,
  stock: new Map(
    joinedProducts.flatMap(({ sku }, index) => unitsOf(index).map(([shop, units]) => [`${sku} at ${shop}`, units])),
  ),
};

const bookNames = ['Code', 'Name', 'Size', 'Vintage', 'Retail', 'Licensee', 'Class'];
const bookProducts = numbers.map((index) => ({
  sku: `W-${900 + index}`,
  name: nameOf(index),
  size_ml: sizeOf(index),
  price_minor: centsOf(index),
  ...(index % 2 === 0 ? { vintage: 2005 + (index % 17) } : {}),
}));

/** A workbook whose header has groups: `Product` above the code and the name, `Price` above the amounts. */
const grouped: InventedAgency = {
  name: 'a workbook with groups of columns',
  stated: { currency: 'CAD', country: 'CA', zone: 'America/Halifax' },
  parts: {},
  files: (isPlain) => ({
    'book.xlsx': workbook([
      {
        name: 'List',
        rows: [
          ['Spring book'],
          isPlain ? [] : ['Product', null, null, null, 'Price', null, null],
          plain(bookNames, isPlain),
          ...bookProducts.map((one, index) => [
            ...[one.sku, one.name, `${one.size_ml} mL`, 'vintage' in one ? (one.vintage ?? null) : null],
            ...[one.price_minor / 100, Math.round(one.price_minor * 0.85) / 100, pick(kinds, index * 3)],
          ]),
        ],
      },
    ]),
  }),
  columns: (isPlain) =>
    columnsOf(bookNames, isPlain, {
      'products.sku': 'Code',
      'products.source_name': 'Name',
      'products.price_minor': 'Retail',
      'products.category_id': 'Class',
    }),
  products: bookProducts,
  stock: null,
};

export const inventedAgencies: readonly InventedAgency[] = [polish, fixed, nested, joined, grouped];
