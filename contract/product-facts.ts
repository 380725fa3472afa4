/**
 * `money`: minor units of the currency. `percent`: from 0 to 100. `year`: four digits. `gtin`: a Global Trade Item
 * Number of 8, 12, 13 or 14 digits.
 */
export type FactType = 'money' | 'instant' | 'percent' | 'text' | 'year' | 'gtin';

type FactKind = {
  readonly type: FactType;
  /** What the fact is, for readers of documents, exports and the database. */
  readonly meaning: string;
  /** What an agency delivers, for authors of recipes. */
  readonly delivered: string;
};

/**
 * Facts about a product that some agencies report, in the order of columns. The schemas of documents and snapshots, the
 * database, the fields of a recipe and the columns of exports follow from this table.
 */
export const factKinds = {
  promotion_price_minor: { type: 'money', meaning: 'Promotional price', delivered: 'the reduced price' },
  promotion_ends_at: { type: 'instant', meaning: 'When the promotion ends', delivered: 'when it ends' },
  deposit_minor: { type: 'money', meaning: 'Deposit on the containers', delivered: 'the deposit' },
  alcohol_by_volume: { type: 'percent', meaning: 'Alcohol by volume', delivered: 'percent, such as 13.5' },
  producer: { type: 'text', meaning: 'Producer', delivered: 'who makes it' },
  country_of_origin: {
    type: 'text',
    meaning: 'Country of origin, as the agency writes it',
    delivered: 'as the agency wrote it',
  },
  vintage: { type: 'year', meaning: 'Vintage, as the agency says', delivered: 'year' },
  gtin: { type: 'gtin', meaning: 'Global Trade Item Number', delivered: 'its bar code' },
} as const satisfies Readonly<Record<string, FactKind>>;

export type ProductFact = keyof typeof factKinds;

export const productFacts = Object.keys(factKinds) as ProductFact[];

export type TypeOfFact<Fact extends ProductFact> = (typeof factKinds)[Fact]['type'];

export function forFacts<Value>(
  make: (kind: FactKind, fact: ProductFact) => Value,
): Readonly<Record<ProductFact, Value>> {
  return Object.fromEntries(productFacts.map((fact) => [fact, make(factKinds[fact], fact)])) as Record<
    ProductFact,
    Value
  >;
}
