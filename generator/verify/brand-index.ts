import { isDeepStrictEqual } from 'node:util';
import type { Brand, BrandDetail, BrandIndex } from '../contract/documents/curation.ts';
import type { Warning } from '../contract/documents/envelope.ts';
import { fold } from '../contract/documents/search.ts';
import { pathOf } from '../contract/paths.ts';
import { FaultList, shown } from '../site/fault.ts';
import { documentAt, type SiteUnderCheck } from './check-context.ts';
import { walkList } from './lists.ts';

/** Checks that the brand index has the rows of `/brands` in their order, and the names in each brand's document. */
export function checkBrandIndex(site: SiteUnderCheck): void {
  const path = pathOf('brand_index');
  const index = documentAt<BrandIndex>(site, path);
  const list = documentAt<{ meta: { warnings: Warning[] } }>(site, pathOf('brands'));
  const rows = rowsOf(site);
  if (!index || !list || !rows) return;
  const add = (expected: string, got: string) => site.faults.add('index_mismatch', path, expected, got);
  if (index.brands.length !== rows.length) {
    add(`${rows.length} brands, as ${pathOf('brands')} has rows`, String(index.brands.length));
  }
  const wrong = index.brands.findIndex(({ brand }, i) => rows[i] !== undefined && !isDeepStrictEqual(brand, rows[i]));
  if (wrong >= 0)
    add(`brand ${wrong} ${shown(rows[wrong])}, as ${pathOf('brands')} has it`, shown(index.brands[wrong]));
  if (!isDeepStrictEqual(index.warnings, list.meta.warnings)) {
    add(`warnings ${shown(list.meta.warnings)}, as ${pathOf('brands')} has them`, shown(index.warnings));
  }
  for (const { brand, names } of index.brands) {
    const document = documentAt<{ data: BrandDetail }>(site, pathOf('brand', { brand_id: brand.id }));
    if (!document) continue;
    const { name, slug, aliases } = document.data;
    const expected = [...new Set([name, slug, ...aliases].map(fold))];
    if (!isDeepStrictEqual(names, expected)) add(`names ${shown(expected)} of ${brand.id}`, shown(names));
  }
}

/** The rows of a walk of `/brands`; null when it does not reach the end. `checkList` reports the faults on its way. */
function rowsOf(site: SiteUnderCheck): Brand[] | null {
  const head = site.table.find(pathOf('brands'));
  if (typeof head === 'string') return null;
  const rows: Brand[] = [];
  const isWhole = walkList({ ...site, faults: new FaultList() }, head, ({ page }) => {
    rows.push(...(page.data as readonly Brand[]));
  });
  return isWhole ? rows : null;
}
