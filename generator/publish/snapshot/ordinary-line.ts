import { canonicalInstant } from '../../contract/instant.ts';
import { type CurationProduct, curationProduct, type InventoryLine, type ProductLine, productLine } from './format.ts';
import { limits } from './limits.ts';

/**
 * The row that the schema `inventoryLine` makes of a parsed line, in a fifth of its time and of the line's own arrays, or null for a line that is
 * faulty or out of the ordinary. The schema alone then decides, and says what is wrong. Nearly all rows of a snapshot are
 * in such lines. A test holds the two together.
 */
export function ordinaryInventoryLine(value: unknown): InventoryLine | null {
  if (typeof value !== 'object' || value === null) return null;
  const { sku, attempted_at, status, retrieved_at, source_updated_at, rows } = value as Record<string, unknown>;
  if (typeof sku !== 'string' || !isDigits(sku, 6) || !Array.isArray(rows) || rows.length > limits.inventoryRows)
    return null;
  const attempted = instantOf(attempted_at);
  const retrieved = retrieved_at === attempted_at ? attempted : instantOf(retrieved_at);
  const updated = instantOf(source_updated_at);
  if (typeof attempted !== 'string' || retrieved === undefined || updated === undefined) return null;
  if (status !== 'succeeded' && status !== 'failed') return null;
  if ((status === 'failed') !== (retrieved === null) || (status === 'failed' && rows.length > 0)) return null;
  if (!arePairs(rows)) return null;
  return { sku, attempted_at: attempted, status, retrieved_at: retrieved, source_updated_at: updated, rows };
}

/** The same for the schema `productLine`. */
export function ordinaryProductLine(value: unknown): ProductLine | null {
  if (typeof value !== 'object' || value === null) return null;
  const { sku, source_name, name, size_ml, size_text, pack_count, price_minor, price_source } = value as ProductLine;
  const { status_code, status_label, status_raw, lifecycle, category_id } = value as ProductLine;
  const isOrdinary =
    typeof sku === 'string' &&
    isDigits(sku, 6) &&
    isPlainName(source_name) &&
    isPlainName(name) &&
    (size_text === null || isPlainText(size_text)) &&
    isPlainText(status_code) &&
    isPlainText(status_label) &&
    isPlainText(status_raw) &&
    [size_ml, pack_count, price_minor].every((number) => number === null || isWholeNumber(number)) &&
    priceSources.has(price_source) &&
    lifecycles.has(lifecycle) &&
    (category_id === null || (isPlainText(category_id) && /^cat_[a-z0-9_]{1,100}$/.test(category_id)));
  if (!isOrdinary) return null;
  return {
    sku,
    source_name,
    name,
    size_ml,
    size_text,
    pack_count,
    price_minor,
    price_source,
    status_code,
    status_label,
    status_raw,
    lifecycle,
    category_id,
  };
}

/** The same for the schema `curationProduct`, of an entry of `curation.json`. */
export function ordinaryCurationProduct(value: unknown): CurationProduct | null {
  if (typeof value !== 'object' || value === null) return null;
  const { sku, brand, family, relationship_type, vintage_year, age_statement } = value as CurationProduct;
  const isOrdinary =
    typeof sku === 'string' &&
    isDigits(sku, 6) &&
    (brand === null || isSlug(brand)) &&
    (family === null || isSlug(family)) &&
    (relationship_type === null || isPlainName(relationship_type)) &&
    (vintage_year === null || isWholeNumber(vintage_year)) &&
    (age_statement === null || isPlainName(age_statement));
  if (!isOrdinary) return null;
  const size = ordinaryPackage((value as CurationProduct).package);
  return size === undefined
    ? null
    : { sku, brand, family, relationship_type, vintage_year, age_statement, package: size };
}

/** Undefined for a package that is out of the ordinary. */
function ordinaryPackage(value: unknown): CurationProduct['package'] | undefined {
  if (value === null) return null;
  if (typeof value !== 'object') return undefined;
  const { container_count, unit_milliliters, total_milliliters, display, interpretation, basis, normalization_state } =
    value as NonNullable<CurationProduct['package']>;
  const isOrdinary =
    (container_count === null || isVolume(container_count)) &&
    (unit_milliliters === null || isVolume(unit_milliliters)) &&
    (total_milliliters === null || isVolume(total_milliliters)) &&
    (display === null || isPlainText(display)) &&
    interpretations.has(interpretation) &&
    bases.has(basis) &&
    normalizationStates.has(normalization_state);
  if (!isOrdinary) return undefined;
  return {
    container_count,
    unit_milliliters,
    total_milliliters,
    display,
    interpretation,
    basis,
    normalization_state,
  };
}

const packageShape = curationProduct.shape.package.unwrap().shape;
const interpretations: ReadonlySet<unknown> = new Set(packageShape.interpretation.options);
const bases: ReadonlySet<unknown> = new Set(packageShape.basis.options);
const normalizationStates: ReadonlySet<unknown> = new Set(packageShape.normalization_state.options);
const priceSources: ReadonlySet<unknown> = new Set(productLine.shape.price_source.options);
const lifecycles: ReadonlySet<unknown> = new Set(productLine.shape.lifecycle.options);

/** Printable ASCII or letters of European languages, and not long. Other text may be as sound. */
function isPlainText(value: unknown): value is string {
  return typeof value === 'string' && /^[ -~\u00a0-\u024f]{0,500}$/.test(value);
}

function isPlainName(value: unknown): value is string {
  return isPlainText(value) && /[!-~]/.test(value);
}

function isSlug(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z0-9-]{1,200}$/.test(value);
}

function isVolume(value: unknown): value is number {
  return isWholeNumber(value) && value > 0;
}

/** The schema turns -0 into 0. */
function isWholeNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && !Object.is(value, -0);
}

/** Whether these are pairs of different store codes with quantities whose sum is exact. */
function arePairs(rows: readonly unknown[]): rows is [string, number][] {
  let last = '';
  let isAscending = true;
  let sum = 0;
  for (const row of rows) {
    if (!Array.isArray(row) || row.length !== 2) return false;
    const [code, quantity] = row as [unknown, unknown];
    if (typeof code !== 'string' || !isDigits(code, 4)) return false;
    if (!isWholeNumber(quantity)) return false;
    sum += quantity;
    if (code <= last) isAscending = false;
    last = code;
  }
  if (!Number.isSafeInteger(sum)) return false;
  // Codes that ascend differ.
  return isAscending || new Set(rows.map((row) => (row as [string])[0])).size === rows.length;
}

/** An instant as canonical text, or null as it is; undefined for anything else. */
function instantOf(value: unknown): string | null | undefined {
  if (value === null) return null;
  if (typeof value !== 'string' || value.length > limits.instant) return undefined;
  return canonicalInstant(value) ?? undefined;
}

function isDigits(text: string, length: number): boolean {
  if (text.length !== length) return false;
  for (let index = 0; index < length; index += 1) {
    const digit = text.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9) return false;
  }
  return true;
}
