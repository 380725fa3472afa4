import { type PathKind, parsePath } from './paths.ts';

/**
 * Addresses that leave with their publication, although a superseded one is kept. Files of exports have a retention of
 * their own. A code is looked up and not linked to: what it means is for the current publication alone to say.
 */
const leaving: ReadonlySet<PathKind> = new Set([
  'export',
  'export_checksums',
  'export_package',
  'change_piece',
  'product_by_sku',
  'comparison_product_by_sku',
  'store_by_code',
]);

/**
 * Whether an address that a kept publication had must have an answer in the current one, contract.md 11: a reader who
 * began with the former follows its lists and rows, and meets no 404.
 */
export function staysForReaders(path: string): boolean {
  const kind = parsePath(path)?.kind;
  return kind !== undefined && !leaving.has(kind);
}
