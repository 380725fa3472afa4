import { type UnusedPart, unusedCodes } from '../parts/unused-parts.tsx';
import { askedSkus, unusedSkus } from './asked-skus.ts';
import { mostPrices } from './prices-link.tsx';

/* What the address of the Prices view asks for. The first value of each choice is the default. */

const choices = { scale: ['absolute', 'relative'], unit: ['package', 'litre'], range: ['all', '1y', '3m'] } as const;

export type AskedPrices = {
  readonly skus: readonly string[];
  /** Amounts, or the change in percent since the first day on which all products have a price. */
  readonly scale: (typeof choices.scale)[number];
  readonly unit: (typeof choices.unit)[number];
  readonly range: (typeof choices.range)[number];
};

export function parseAsked(query: URLSearchParams): AskedPrices {
  const chosen = <Name extends keyof typeof choices>(name: Name) =>
    choices[name].find((code) => code === query.get(name)) ?? choices[name][0];
  return {
    skus: askedSkus(query, mostPrices),
    scale: chosen('scale') as AskedPrices['scale'],
    unit: chosen('unit') as AskedPrices['unit'],
    range: chosen('range') as AskedPrices['range'],
  };
}

/** The inverse of {@link parseAsked}. */
export function formatAsked({ skus, ...rest }: AskedPrices): Record<string, string | null> {
  const changed = (name: keyof typeof choices) => (rest[name] === choices[name][0] ? null : rest[name]);
  return { skus: skus.join(','), scale: changed('scale'), unit: changed('unit'), range: changed('range') };
}

export function unusedPriceParts(query: URLSearchParams): UnusedPart[] {
  return [
    ...unusedSkus(query, mostPrices),
    ...Object.entries(choices).flatMap(([name, codes]) =>
      unusedCodes(name, query.get(name) ?? '', codes, codes.join(' or ')),
    ),
  ];
}
