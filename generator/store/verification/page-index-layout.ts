import { lastSealedPage, type PageIndex, segmentSize } from '../../contract/page-index.ts';
import { parsePath } from '../../contract/paths.ts';
import type { SiteUnderCheck } from './site-check.ts';

/** Numbers of the oldest retained page and of the newest sealed one; nothing is retained when `last` is below `first`. */
export type PageRange = { readonly first: number; readonly last: number };

export function retainedPages(index: PageIndex): PageRange {
  return { first: index.first_page, last: lastSealedPage(index) };
}

/** Where a page stands, as a path. */
export function pagePath({ addresses }: SiteUnderCheck, { page_path }: PageIndex, number: number): string {
  return addresses.pathOf(page_path).replace('{number}', String(number));
}

/** Checks which pages an index speaks of, and that each has its address, those past retention too (contract.md 4). */
export function checkLayout(site: SiteUnderCheck, path: string, index: PageIndex): void {
  const add = (expected: string, got: string) => site.faults.add('index_mismatch', path, expected, got);
  if (!site.addresses.isOwn(index.page_path) || !isPartOf(path, pagePath(site, index, 1), 'page', 1)) {
    add('page_path of its own list', index.page_path);
  }
  for (const segment of index.segments) {
    if (!isPartOf(path, site.addresses.pathOf(segment.path), 'segment', segment.number)) {
      add(`an address of its segment ${segment.number}`, segment.path);
    }
  }
  for (const part of ['segments', 'pages'] as const) {
    const numbers = index[part].map(({ number }) => number);
    const gap = numbers.findIndex((number, i) => i > 0 && number !== (numbers[i - 1] as number) + 1);
    if (gap > 0) add(`${part} numbered one after the other`, `${numbers[gap]} after ${numbers[gap - 1]}`);
  }
  const { first, last } = retainedPages(index);
  // Each page has an address: without this bound a wrong number would be counted up to.
  const bound = site.table.routes.size;
  if (Math.max(first - 1, last) > bound) {
    if (site.table.isComplete) add(`page numbers up to ${bound}, the routes of the site`, `${first} to ${last}`);
    return;
  }
  checkCoverage(index, add);
  checkAddresses(site, path, index);
}

/** Each retained page is summarised, by itself or in a segment. */
function checkCoverage(index: PageIndex, add: (expected: string, got: string) => void): void {
  const { first, last } = retainedPages(index);
  const segments = new Set(index.segments.map(({ number }) => number));
  const pages = new Set(index.pages.map(({ number }) => number));
  for (let number = first; number <= last; number += 1) {
    if (!pages.has(number) && !segments.has(segmentOf(number))) add(`a summary of page ${number}`, 'none');
  }
}

function checkAddresses(site: SiteUnderCheck, path: string, index: PageIndex): void {
  const { table, faults } = site;
  const { first, last } = retainedPages(index);
  for (let number = 1; number <= Math.max(last, first - 1); number += 1) {
    const address = pagePath(site, index, number);
    const route = table.find(address);
    if (route === 'absent') {
      const expected = `an answer at ${address}, a page ${number < first ? 'past retention' : 'that it summarises'}`;
      faults.add('address_unresolved', path, expected, 'none');
    } else if (route !== 'unknown' && number < first && route.cache !== 'revalidate') {
      faults.add(
        'index_mismatch',
        path,
        `page ${number} past retention, before first_page ${first}`,
        'a retained page',
      );
    }
  }
}

export function segmentOf(page: number): number {
  return Math.ceil(page / segmentSize);
}

/** Whether an address is that of a page or segment of the list whose index stands at `indexPath`. */
function isPartOf(indexPath: string, address: string, part: 'page' | 'segment', number: number): boolean {
  const index = parsePath(indexPath);
  const other = parsePath(address);
  return (
    other?.kind === index?.kind.replace(/index$/, part) &&
    other?.parameters.number === String(number) &&
    other.parameters.product_id === index?.parameters.product_id &&
    other.parameters.family_id === index?.parameters.family_id
  );
}
