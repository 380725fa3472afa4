import { countText } from '../../files/failure.ts';
import {
  changedPrices,
  eitherOf,
  examplesText,
  exampleTexts,
  type Guard,
  inField,
  movedPrices,
  ofLevel,
  ofNew,
  ofShare,
  overTime,
  priceText,
} from './guard-rules.ts';

export const productGuards = [
  {
    name: 'catalog',
    example: 'a price list cut in half',
    flag: '--accept-shrink',
    ...overTime(
      eitherOf(
        ofShare('loses % listed products', inField('products', 'gone'), [0.05, 20, 0.0059]),
        ofShare('loses % listed products', inField('products', 'gone'), [0.2, 1, 0.0059]),
      ),
      'listed_products',
      [0.7, 20],
      'listed products',
    ),
  },
  {
    name: 'new-products',
    example: 'every product once more under a new code',
    ...ofNew('products', [0.2, 20, 0.0306]),
  },
  {
    name: 'names',
    example: 'names shifted by one row',
    ...ofShare('renames % products that stay listed', inField('products', 'renamed'), [0.1, 20, 0.0155]),
  },
  {
    name: 'sizes',
    example: 'one size for every product',
    ...ofShare('resizes % products that stay listed', inField('products', 'resized'), [0.1, 20, 0.0003]),
  },
  {
    name: 'alcohol',
    example: 'a fraction instead of percent',
    ...ofShare(
      'gives another alcohol by volume, or none, to % products that stay listed',
      inField('products', 'alcohol_changed'),
      [0.1, 20, 0],
    ),
  },
  {
    name: 'categories',
    example: 'a catalog without its column of categories',
    ...ofShare(
      'files % products that stay listed under another category',
      inField('products', 'recategorised'),
      [0.1, 20, 0.0061],
    ),
  },
  {
    name: 'category-names',
    example: 'ids instead of names',
    ...ofShare('renames % categories that stay', inField('categories', 'renamed'), [0.2, 5, 0]),
  },
  {
    name: 'statuses',
    example: 'every product discontinued',
    ...ofShare(
      'gives another status to % products that stay listed',
      inField('products', 'status_changed'),
      [0.2, 20, 0.0404],
    ),
  },
  {
    name: 'prices',
    example: 'dollars read as cents',
    ...ofShare(
      'moves by more than half, or loses, % prices of products that stay listed',
      movedPrices('far'),
      [0.05, 10, 0.0043],
    ),
  },
  {
    name: 'price-jumps',
    example: 'nine prices times a hundred',
    limit:
      'moves a price to 0, to five times the highest that its product ever had, or more, or to a fifth of the lowest, or less',
    seen: '0',
    trips: ({ header, prices: { compared, beyond, examples } }) => {
      if (beyond === 0) return null;
      const some = examplesText(exampleTexts(examples.beyond, priceText(header)));
      return `moves ${countText(beyond)} of ${countText(compared)} prices to 0, or fivefold beyond what their products ever cost: expected none${some}`;
    },
  },
  {
    name: 'lost-prices',
    example: 'a hundredth of the prices empty',
    ...ofShare('loses % prices of products that stay listed', movedPrices('lost'), [0.005, 10, 0]),
  },
  {
    name: 'price-moves',
    example: 'a tenth of the prices at random',
    limit:
      'moves at least 20 prices by more than a quarter or loses them, and these are more than 1 % of all prices, and more than 35 % of those that change',
    seen: '27 % of those that change',
    trips: ({ header, prices: { wide, changed, compared, examples } }) => {
      if (wide < 20 || wide <= compared * 0.01 || wide <= changed * 0.35) return null;
      const some = examplesText(exampleTexts(examples.changed, priceText(header)));
      return `moves ${countText(wide)} of ${countText(changed)} changed prices by more than a quarter: expected at most 35 %${some}`;
    },
  },
  {
    name: 'price-total',
    example: 'a fifth of the prices times 0.4',
    ...ofLevel(
      'prices',
      'price_level',
      ({ prices }) => prices.changed,
      20,
      [
        [0.97, 1.03],
        [0.9, 1.1],
      ],
      'by 1.003',
    ),
  },
  {
    name: 'price-changes',
    example: 'prices of other products',
    ...ofShare('changes % prices of products that stay listed', changedPrices, [0.4, 20, 0.154]),
  },
  {
    name: 'price-factor',
    example: 'a quarter of the prices in another currency',
    limit:
      'changes at least 20 prices, more than a fifth of all, and 90 % of these by one factor; or moves at least 20 prices by more than a quarter, more than 0.5 % of all, and a quarter of these by one factor',
    seen: '–; 17 % by one factor',
    trips: ({ header, prices }) => {
      const { changed, wide, compared } = prices;
      const common = changed >= 20 && changed > compared * 0.2 ? prices.commonFactor() : null;
      const commonWide = wide >= 20 && wide > compared * 0.005 ? prices.commonWideFactor() : null;
      const found = [
        ...(common !== null && common.moves >= 20 && common.agreeing >= common.moves * 0.9 ? [common] : []),
        ...(commonWide !== null && commonWide.agreeing >= Math.max(20, commonWide.moves / 4) ? [commonWide] : []),
      ].at(0);
      if (found === undefined) return null;
      const factor = Number(found.factor.toPrecision(3));
      return `multiplies ${countText(found.agreeing)} of ${countText(changed)} changed prices by ${factor}: expected different changes${examplesText(exampleTexts(prices.examples.changed, priceText(header)))}`;
    },
  },
] as const satisfies readonly Guard[];
