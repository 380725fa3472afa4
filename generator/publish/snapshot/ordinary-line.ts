import { canonicalInstant } from '../../contract/instant.ts';
import type { InventoryLine } from './format.ts';
import { limits } from './limits.ts';

/**
 * The row that the schema `inventoryLine` makes of a parsed line, in a fifth of its time, or null for a line that is
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
  const pairs = pairsOf(rows);
  if (pairs === null) return null;
  return { sku, attempted_at: attempted, status, retrieved_at: retrieved, source_updated_at: updated, rows: pairs };
}

/** Different store codes with quantities whose sum is exact, or null. */
function pairsOf(rows: readonly unknown[]): [string, number][] | null {
  const pairs: [string, number][] = [];
  const codes = new Set<string>();
  let sum = 0;
  for (const row of rows) {
    if (!Array.isArray(row) || row.length !== 2) return null;
    const [code, quantity] = row as [unknown, unknown];
    if (typeof code !== 'string' || !isDigits(code, 4)) return null;
    if (typeof quantity !== 'number' || !Number.isSafeInteger(quantity) || quantity < 0) return null;
    sum += quantity;
    codes.add(code);
    // Adding 0 turns -0 into 0.
    pairs.push([code, quantity + 0]);
  }
  return codes.size === pairs.length && Number.isSafeInteger(sum) ? pairs : null;
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
