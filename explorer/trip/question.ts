import type { ComparisonQuestion } from '../../client/site.ts';
import type { UnusedPart } from '../parts/unused-parts.tsx';
import { askedSkus, unusedSkus } from '../products/asked-skus.ts';
import { mostProducts } from '../products/own-trip.ts';
import { type Place, pointIn } from '../stores/gazetteer.ts';
import { nearIn } from '../stores/use-near.ts';

/** The question so far, as the address has it. Names are those of the API's parameters. */
export type Question = {
  readonly skus: readonly string[];
  /** The place as the address has it; empty for none. */
  readonly near: string;
  readonly radius_m: number;
  readonly max_stops: number;
  readonly purchase_eligibility: 'eligible' | 'any';
  readonly inventory_age: 'within_policy' | 'any_age';
};

/** The API's defaults. */
const defaults = {
  radius_m: 50_000,
  max_stops: 3,
  purchase_eligibility: 'eligible',
  inventory_age: 'within_policy',
} as const;

const bounds = { radius_m: [1, 500_000], max_stops: [1, 3] } as const;
const choices = { purchase_eligibility: ['eligible', 'any'], inventory_age: ['within_policy', 'any_age'] } as const;

/**
 * Reads a question. Links may be cut off or typed, so invalid parts are ignored; {@link unusedQuestionParts} lists
 * them.
 */
export function parseQuestion(query: URLSearchParams): Question {
  return {
    skus: askedSkus(query, mostProducts),
    near: nearIn(query),
    radius_m: Math.round(readNumber(query.get('radius_m'), ...bounds.radius_m) ?? defaults.radius_m),
    max_stops: Math.round(readNumber(query.get('max_stops'), ...bounds.max_stops) ?? defaults.max_stops),
    purchase_eligibility: query.get('purchase_eligibility') === 'any' ? 'any' : defaults.purchase_eligibility,
    inventory_age: query.get('inventory_age') === 'any_age' ? 'any_age' : defaults.inventory_age,
  };
}

/** The parts of a query that are ignored. An unknown place is reported next to its field. */
export function unusedQuestionParts(query: URLSearchParams): UnusedPart[] {
  const parts = unusedSkus(query, mostProducts);
  const note = (name: string, value: string, expected: string) => {
    if (value !== '') parts.push({ name, value, expected });
  };
  const [latitude, longitude] = [query.get('lat') ?? '', query.get('lng') ?? ''];
  if (latitude + longitude !== '' && pointIn(`${latitude},${longitude}`) === null)
    note('lat, lng', `${latitude}, ${longitude}`, 'a latitude from -90 to 90 and a longitude from -180 to 180');
  for (const name of ['radius_m', 'max_stops'] as const) {
    const [least, most] = bounds[name];
    const value = query.get(name) ?? '';
    if (readNumber(value, least, most) === null) note(name, value, `a number from ${least} to ${most}`);
  }
  for (const [name, codes] of Object.entries(choices)) {
    const value = query.get(name) ?? '';
    if (!codes.some((code) => code === value)) note(name, value, codes.join(' or '));
  }
  return parts;
}

/** A question as the query of an address; the inverse of {@link parseQuestion}. */
export function formatQuestion({ skus, near, ...rest }: Question): Record<string, string | number | null> {
  const changed = (name: keyof typeof defaults) => (rest[name] === defaults[name] ? null : rest[name]);
  return {
    skus: skus.join(','),
    near,
    radius_m: changed('radius_m'),
    max_stops: changed('max_stops'),
    purchase_eligibility: changed('purchase_eligibility'),
    inventory_age: changed('inventory_age'),
  };
}

/** The question as parameters of the API; null while it lacks products or a place. */
export function comparisonQuestion(
  { skus, near: _, ...rest }: Question,
  place: Place | null,
): ComparisonQuestion | null {
  if (skus.length === 0 || place === null) return null;
  // Six decimals are a tenth of a metre, and never need an exponent, which the API refuses.
  const [lat, lng] = [place.latitude, place.longitude].map((degrees) => Math.round(degrees * 1e6) / 1e6 + 0);
  return { skus: [...skus], lat: lat ?? 0, lng: lng ?? 0, ...rest };
}

/** A number within bounds; null for anything else. */
function readNumber(text: string | null, least: number, most: number): number | null {
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text);
  return value >= least && value <= most ? value : null;
}
