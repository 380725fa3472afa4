import { type PathKind, parsePath, pathOf, templates } from '../../contract/paths.ts';
import { problemCode } from '../../contract/problem.ts';
import type { FaultList } from './fault.ts';
import { roleOf } from './route-check.ts';
import type { RouteTable } from './route-table.ts';

/** Checks that no address is lacking that the contract promises whatever the data (contract.md 2). */
export function checkCompleteness(table: RouteTable, faults: FaultList): void {
  const requirePath = (path: string, reason: string) => {
    if (table.find(path) === 'absent') faults.add('route_missing', path, reason, 'no route');
  };
  for (const [kind, template] of Object.entries(templates)) {
    const isFixed = !template.includes('{') && roleOf(kind as PathKind) !== 'computed';
    if (isFixed) requirePath(template, 'an address that every site has');
  }
  for (const problem of problemCode.options) {
    requirePath(pathOf('problem', { problem }), 'an address that every site has');
  }
  for (const path of table.routes.keys()) {
    for (const companion of companionsOf(path)) requirePath(companion, `an answer, as ${path} has one`);
  }
}

/** The addresses that every product, family and store has beside its document, and that stand for one of them. */
function companionsOf(path: string): string[] {
  const { kind, parameters } = parsePath(path) ?? {};
  const { product_id, family_id, store_id, sku, revision } = parameters ?? {};
  if (kind === 'product' && product_id) {
    return [
      pathOf('product_availability', { product_id }),
      pathOf('product_changes', { product_id }),
      pathOf('product_changes_index', { product_id }),
      pathOf('comparison_product', { product_id }),
    ];
  }
  if (kind === 'export' && revision) {
    return [pathOf('export_checksums', { revision }), pathOf('export_package', { revision })];
  }
  if (kind === 'comparison_product' && product_id) return [pathOf('product', { product_id })];
  if (kind === 'product_by_sku' && sku) return [pathOf('comparison_product_by_sku', { sku })];
  if (kind === 'comparison_product_by_sku' && sku) return [pathOf('product_by_sku', { sku })];
  if (kind === 'family' && family_id) {
    return [pathOf('family_changes', { family_id }), pathOf('family_changes_index', { family_id })];
  }
  return kind === 'store' && store_id ? [pathOf('store_availability', { store_id })] : [];
}
