import type { AddressKind } from '../contract/address-paths.ts';
import { compareInstants } from '../contract/instant.ts';
import {
  parametersOf,
  parseParameter,
  type QueryKind,
  type QueryOf,
  type QueryParameter,
} from '../contract/parameters.ts';
import { type Profile, usualProfile } from '../contract/profile.ts';
import { cursorLimit } from '../contract/vocabulary.ts';
import { type InvalidParameter, ProblemError } from './problems.ts';
import { formatQueryString, parseQueryString, type QueryPair } from './query-string.ts';
import type { PublicationFiles } from './site/publication-files.ts';

/** A request with a valid query. */
export type Question = {
  readonly [Kind in QueryKind]: { readonly kind: Kind; readonly path: string; readonly query: QueryOf<Kind> };
}[QueryKind];

type Parameters = Readonly<Record<string, QueryParameter>>;
type Value = string | number | readonly (string | number)[];

export function takesParameters(kind: AddressKind): kind is QueryKind {
  return parametersOf(kind) !== null;
}

function parametersFor(kind: QueryKind): Parameters {
  return parametersOf(kind) ?? {};
}

/** Whether a query may have the agency's codes, so that reading it needs the site's profile. */
export function hasCodes(query: string): boolean {
  return /(?:^|&)skus?=/.test(query);
}

/** Reads a query with the profile of the site of these files. */
export async function readQueryIn<Kind extends QueryKind>(
  files: PublicationFiles,
  kind: Kind,
  query: string,
): Promise<QueryOf<Kind>> {
  return readQuery(kind, query, hasCodes(query) ? await files.profile() : usualProfile);
}

/** Refuses a query that has parameters, for addresses that take none. The error names each of them. */
export function refuseParameters(query: string): void {
  const names = new Set(parseQueryString(query).map(({ name }) => name));
  if (names.size === 0) return;
  throw new ProblemError(
    'INVALID_PARAMETER',
    [...names].map((name) => ({ name, reason: 'this address takes no parameters' })),
  );
}

/**
 * The parameters of a query, each in the form in which it is compared. Throws an `INVALID_PARAMETER` that names every
 * offending one, contract.md 3 and 6. `profile`: the site's, for a query with codes.
 */
export function readQuery<Kind extends QueryKind>(
  kind: Kind,
  query: string,
  profile: Profile = usualProfile,
): QueryOf<Kind> {
  const parameters = parametersFor(kind);
  const grouped = Map.groupBy(parseQueryString(query), ({ name }) => name);
  const values = new Map<string, Value>();
  const invalid: InvalidParameter[] = [];
  for (const [name, pairs] of grouped) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    const parsed = parameter ? readValue(parameter, pairs, profile) : { reason: unknownName(parameters) };
    if ('reason' in parsed) invalid.push({ name, reason: parsed.reason });
    else values.set(name, parsed.value);
  }
  invalid.push(...missing(kind, parameters, grouped), ...conflicts(values, grouped));
  if (invalid.length > 0) throw new ProblemError('INVALID_PARAMETER', invalid);
  return Object.fromEntries(values) as QueryOf<Kind>;
}

/**
 * The canonical text of a query, the same for all queries with the same meaning: parameters in the order of the
 * contract, lists ascending, values in the form in which they are compared.
 */
export function canonicalQuery<Kind extends QueryKind>(kind: Kind, query: QueryOf<Kind>): string {
  const values = query as Readonly<Record<string, Value | undefined>>;
  const pairs = Object.keys(parametersFor(kind)).flatMap((name): [string, string][] => {
    const value = values[name];
    if (value === undefined) return [];
    return [[name, String(Array.isArray(value) ? [...value].sort().join(',') : value)]];
  });
  return formatQueryString(pairs);
}

function readValue(parameter: QueryParameter, pairs: readonly QueryPair[], profile: Profile) {
  if (pairs.length > 1) return { reason: `expected it once, got it ${pairs.length} times` };
  const [{ name, text } = { name: '', text: null }] = pairs;
  if (text === null) return { reason: 'expected percent-encoded UTF-8' };
  // A longer cursor is not one of ours, and is refused where cursors are read.
  if (name === 'cursor' && text.length > cursorLimit) return { value: text };
  return parseParameter(parameter, text, profile);
}

function missing(kind: QueryKind, parameters: Parameters, given: ReadonlyMap<string, unknown>): InvalidParameter[] {
  const required = Object.entries(parameters).filter(([name, { required }]) => required && !given.has(name));
  const reasons = required.map(([name, { expects }]) => ({ name, reason: `expected ${expects}, got nothing` }));
  if (kind === 'comparison' && !given.has('product_ids') && !given.has('skus')) {
    reasons.unshift({ name: 'product_ids', reason: 'expected product_ids or skus, got neither' });
  }
  return reasons;
}

const exclusive = [
  ['product_id', 'sku'],
  ['product_ids', 'skus'],
] as const;

/** Parameters that are valid on their own but not together. Those already known to be invalid are not named again. */
function conflicts(values: ReadonlyMap<string, Value>, given: ReadonlyMap<string, unknown>): InvalidParameter[] {
  const found: InvalidParameter[] = [];
  const add = (name: string, reason: string) => {
    if (values.has(name)) found.push({ name, reason });
  };
  for (const [a, b] of exclusive) {
    if (!given.has(a) || !given.has(b)) continue;
    add(a, `expected ${a} or ${b}, got both`);
    add(b, `expected ${a} or ${b}, got both`);
  }
  const [since, until] = [values.get('since'), values.get('until')];
  if (typeof since === 'string' && typeof until === 'string' && compareInstants(since, until) > 0) {
    add('since', `expected an instant not after until, got ${since} after ${until}`);
    add('until', `expected an instant not before since, got ${until} before ${since}`);
  }
  return found;
}

function unknownName(parameters: Parameters): string {
  return `unknown parameter; this address takes ${Object.keys(parameters).join(', ')}`;
}
