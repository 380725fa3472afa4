import { compareInstants } from '../../contract/instant.ts';
import type { ObservationTimes } from '../../contract/observation.ts';
import type { PathKind } from '../../contract/paths.ts';

export type NamedRow = { readonly id: string; readonly name: string };
export type EventRow = { readonly id: string; readonly times: ObservationTimes };

/**
 * How rows of a list stand, contract.md 3: negative when `a` comes before `b`, never zero for two rows of one list.
 * A walk in strict order meets each row once, which nobody then needs to remember. Written apart from the builder's
 * own order, which it judges.
 */
export function compareRows(kind: PathKind, a: unknown, b: unknown): number {
  return isChangeList(kind) ? compareEvents(a as EventRow, b as EventRow) : compareNames(a as NamedRow, b as NamedRow);
}

export function isChangeList(kind: PathKind): boolean {
  return /^(product_|family_)?changes(_page)?$/.test(kind);
}

/** By name, then id. */
export function compareNames(a: NamedRow, b: NamedRow): number {
  return compareCodePoints(nameKey(a.name), nameKey(b.name)) || compareTexts(a.id, b.id);
}

/** Newest first. A publication's sequence grows with its published_at, which events carry. */
export function compareEvents(a: EventRow, b: EventRow): number {
  return (
    compareInstants(b.times.published_at, a.times.published_at) ||
    compareInstants(b.times.retrieved_at, a.times.retrieved_at) ||
    compareTexts(b.id, a.id)
  );
}

function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** `<` compares UTF-16 units, by which U+1F377 stands before U+FF21; by code point it stands after. */
function compareCodePoints(a: string, b: string): number {
  for (let index = 0; index < a.length && index < b.length; index += 1) {
    const left = a.codePointAt(index) as number;
    const right = b.codePointAt(index) as number;
    if (left !== right) return left - right;
  }
  return a.length - b.length;
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
