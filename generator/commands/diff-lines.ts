import { templates } from '../contract/paths.ts';
import { displayPrice } from '../contract/profile.ts';
import { jsonStart } from '../contract/text.ts';
import type { ChangeCounts, ComparedThing, Difference } from '../diff/diff.ts';
import type { Change } from '../diff/record-differences.ts';
import { countText, printable } from '../failure.ts';
import type { ExportRecord } from '../site/export-reader.ts';
import { tableLines } from './command-line.ts';

const changes: readonly Change[] = ['added', 'removed', 'changed'];
const marks: Readonly<Record<Change, string>> = { added: '+', removed: '-', changed: '~' };

/** A difference as `diff` prints it for people, without its mark. */
export function differenceText(difference: Difference): string {
  if (difference.thing === 'documents') return printable(difference.path);
  if (difference.thing === 'about') return aboutText(difference);
  const { thing, change, record, changes: fields } = difference;
  if (thing === 'inventory') {
    const place = `${record.agency_sku} in store ${record.inventory_store_code ?? record.store_id}`;
    if (change !== 'changed') return `${place}: ${pairText(record)}`;
    const before = { ...record };
    for (const [field, { a }] of Object.entries(fields)) before[field] = a;
    const withEligibility = 'purchase_eligibility' in fields && !('state' in fields);
    return `${place}: ${pairText(before, withEligibility)} → ${pairText(record, withEligibility)}`;
  }
  const code = thing === 'products' ? record.agency_sku : (record.inventory_store_code ?? record.id);
  const identity = printable(`${code} ${record.name}`);
  if (change !== 'changed') return identity;
  const texts = Object.entries(fields).map(([field, { a, b }]) =>
    fieldText(field, a, b, record.price_currency ?? fields.price_currency?.a),
  );
  return `${identity}: ${texts.join('; ')}`;
}

/** `title "Prices"`, `contact "a@example.org" → "b@example.org"` */
function aboutText({ change, member, a, b }: Difference & { thing: 'about' }): string {
  const text = (value: unknown) => printable(JSON.stringify(value));
  if (change === 'changed') return `${member} ${text(a)} → ${text(b)}`;
  return `${member} ${text(b ?? a)}`;
}

/** `price $11.99 → $9.99`, `status_label "Active" → "Delisted"` */
function fieldText(field: string, a: unknown, b: unknown, currency: unknown): string {
  const isPrice = field === 'price_amount_minor' && typeof currency === 'string';
  const text = (value: unknown) =>
    isPrice && typeof value === 'number' ? displayPrice(value, currency) : printable(jsonStart(value ?? null, 60));
  return `${isPrice ? 'price' : field} ${text(a)} → ${text(b)}`;
}

/** The reported quantity of a pair; `absent` when the retrieval had no row of it. */
function pairText(record: ExportRecord, withEligibility = false): string {
  const { state, reported_quantity: quantity, purchase_eligibility: eligibility } = record;
  const text = state === 'row_absent' ? 'absent' : String(quantity);
  return withEligibility ? `${text} (${eligibility ?? 'no eligibility'})` : text;
}

/** Collects the differences of one thing for people: counts, and the first lines of each change. */
export class DifferenceList {
  readonly #limit: number;
  readonly #lines: Readonly<Record<Change, string[]>> = { added: [], removed: [], changed: [] };
  readonly #kinds = new Map<string, ChangeCounts>();

  /** `limit`: how many lines of each change to show. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  add(difference: Difference): void {
    const { change } = difference;
    const lines = this.#lines[change];
    if (lines.length < this.#limit) lines.push(`  ${marks[change]} ${differenceText(difference)}`);
    if (difference.thing !== 'documents') return;
    const kind = difference.kind === null ? 'another address' : templates[difference.kind];
    const counts = this.#kinds.get(kind) ?? { added: 0, removed: 0, changed: 0 };
    counts[change] += 1;
    this.#kinds.set(kind, counts);
  }

  /** All lines of the thing, its heading first. `counts` null: it was not compared. */
  linesFor(thing: ComparedThing, counts: ChangeCounts | null): string[] {
    const name = thing === 'inventory' ? 'pairs' : thing;
    if (counts === null) {
      return [`${name}: not compared, because a ${thing === 'about' ? 'partial mirror' : 'database'} has none`];
    }
    if (changes.every((change) => counts[change] === 0)) return [`${name}: equal`];
    const heading = `${name}: ${changes.map((change) => `${countText(counts[change])} ${change}`).join(', ')}`;
    const lines = changes.flatMap((change) => {
      const left = counts[change] - this.#lines[change].length;
      const more = left > 0 ? [`  ${marks[change]} and ${countText(left)} more ${change}; --all prints them`] : [];
      return [...this.#lines[change], ...more];
    });
    return [heading, ...this.#kindTable(), ...lines];
  }

  #kindTable(): string[] {
    if (this.#kinds.size === 0) return [];
    const order: readonly string[] = Object.values(templates);
    const rows = [...this.#kinds].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
    const counted = changes.map(
      (change) => [change, ([, counts]: [string, ChangeCounts]) => countText(counts[change]), 'right'] as const,
    );
    return tableLines(rows, [['address', ([kind]) => kind], ...counted]).map((line) => `  ${line}`);
  }
}

/** What `diff --json` calls a record of an export, and the fields that identify it. */
const printed = {
  products: ['product', 'id', 'agency_sku', 'name'],
  stores: ['store', 'id', 'inventory_store_code', 'name'],
  inventory: [
    'pair',
    ...['product_id', 'agency_sku', 'store_id', 'inventory_store_code', 'state', 'reported_quantity'],
  ],
} as const;

/** A difference as `diff --json` prints it: its type, what identifies it, and its changed fields or its pair. */
export function differenceJson(difference: Difference): object {
  const { change } = difference;
  if (difference.thing === 'documents') {
    return { type: `document_${change}`, path: difference.path, kind: difference.kind };
  }
  if (difference.thing === 'about') {
    const { member, a, b } = difference;
    return { type: `about_${change}`, member, a, b };
  }
  const { thing, record, changes: fields } = difference;
  const [name, ...identity] = printed[thing];
  const shown = Object.fromEntries(identity.map((field) => [field, record[field]]));
  return { type: `${name}_${change}`, ...shown, ...(change === 'changed' ? { changes: fields } : {}) };
}
