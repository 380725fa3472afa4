import { isDeepStrictEqual } from 'node:util';
import type { ComparisonStores } from '../../contract/comparison-input.ts';
import { parsePath, pathOf } from '../../contract/paths.ts';
import type { StoreDetail, StoreSummary } from '../../contract/store.ts';
import type { Warning } from '../../contract/warning.ts';
import { shown } from './fault.ts';
import { documentAt, type SiteUnderCheck } from './site-check.ts';

/**
 * Checks the stores that a comparison chooses from: each as its own document has it, by id, and every one in scope
 * (contract.md 9). Their ids in that order; null when the document cannot be read.
 */
export function checkComparisonStores(site: SiteUnderCheck): readonly string[] | null {
  const path = pathOf('comparison_stores');
  const document = documentAt<ComparisonStores>(site, path);
  if (!document) return null;
  const add = (expected: string, got: string) => site.faults.add('input_mismatch', path, expected, got);
  // Both carry those of the publication that do not depend on whose inventory is asked for.
  const list = documentAt<{ meta: { warnings: Warning[] } }>(site, pathOf('products'));
  if (list && !isDeepStrictEqual(document.warnings, list.meta.warnings)) {
    add(`warnings ${shown(list.meta.warnings)}, as ${pathOf('products')} has them`, shown(document.warnings));
  }
  const ids = document.stores.map(({ id }) => id);
  const late = ids.findIndex((id, index) => id <= (ids[index - 1] ?? ''));
  if (late > 0) add(`a store after ${ids[late - 1]}, each once and by id`, String(ids[late]));
  const listed = new Map(document.stores.map((store) => [store.id, store]));
  for (const route of site.table.routes.values()) {
    const parsed = parsePath(route.path);
    if (parsed?.kind !== 'store') continue;
    const detail = documentAt<{ data: StoreDetail }>(site, route.path)?.data;
    if (!detail) continue;
    const { regular_hours: _, ...summary } = detail;
    const found = listed.get(detail.id);
    if (!found && isInScope(summary)) add(`store ${detail.id}, which is in scope`, 'none of that id');
    if (found && !isInScope(summary)) add(`no store that is out of scope`, detail.id);
    if (found && !isDeepStrictEqual(found, summary)) add(`${shown(summary)}, as ${route.path} has it`, shown(found));
  }
  return ids;
}

function isInScope({ operational_status, directory_presence }: StoreSummary): boolean {
  return operational_status.state !== 'permanently_closed' && directory_presence?.state !== 'reviewed_retired';
}
