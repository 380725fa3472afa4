import type { ChangeEvent, ChangeHistory } from '../../contract/change.ts';
import { compareInstants } from '../../contract/instant.ts';
import type { PageIndex } from '../../contract/page-index.ts';
import { parsePath, pathOf } from '../../contract/paths.ts';
import type { Route } from '../../contract/site.ts';
import { shown } from './fault.ts';
import { isChangeList } from './list-order.ts';
import { type WalkedPage, walkList } from './list-walk.ts';
import { factsOf, type Span, spanOf } from './page-facts.ts';
import { PageIndexCheck } from './page-index-check.ts';
import { documentAt, type SiteUnderCheck } from './site-check.ts';

/** What a walk found. `isWhole` false: it met something unreadable, and the number of rows says nothing. */
export type ListResult = { readonly rows: number; readonly isWhole: boolean };

/** Walks a list to its end. A change list is also held against its history, its page index, and whose events it has. */
export function checkList(site: SiteUnderCheck, head: Route): ListResult {
  const kind = parsePath(head.path)?.kind;
  if (kind !== undefined && isChangeList(kind)) return checkChangeList(site, head);
  let rows = 0;
  const isWhole = walkList(site, head, ({ page }) => {
    rows += page.data.length;
  });
  return { rows, isWhole };
}

function checkChangeList(site: SiteUnderCheck, head: Route): ListResult {
  const indexPath = indexPathOf(head.path);
  const index = documentAt<PageIndex>(site, indexPath);
  const indexCheck = index && new PageIndexCheck(site, indexPath, index);
  const isAtHome = residents(site, head.path);
  let history: ChangeHistory | undefined;
  let retrieved: Span | null = null;
  let rows = 0;
  const isWhole = walkList(site, head, ({ page, route }: WalkedPage) => {
    if (route === head) history = page.meta.history;
    rows += page.data.length;
    const events = page.data as readonly ChangeEvent[];
    const stranger = events.find(({ product }) => !isAtHome(product.id));
    if (stranger) {
      site.faults.add('list_foreign_row', route.path, `events of products of ${head.path}`, stranger.product.id);
    }
    if (events.length === 0) return;
    const facts = factsOf(events);
    retrieved = spanOf([...(retrieved ?? []), ...facts.retrieved]);
    const number = parsePath(route.path)?.parameters.number;
    if (number !== undefined) indexCheck?.meet(Number(number), route.path, facts);
  });
  if (isWhole) indexCheck?.finish();
  if (isWhole && history) checkHistory(site, head.path, history, { rows, retrieved });
  return { rows, isWhole };
}

function indexPathOf(list: string): string {
  const { product_id, family_id } = parsePath(list)?.parameters ?? {};
  if (product_id !== undefined) return pathOf('product_changes_index', { product_id });
  return family_id === undefined ? pathOf('changes_index') : pathOf('family_changes_index', { family_id });
}

/** Which products a list may speak of: all, one, or the family's current members. */
function residents(site: SiteUnderCheck, path: string): (productId: string) => boolean {
  const { product_id, family_id } = parsePath(path)?.parameters ?? {};
  if (product_id !== undefined) return (id) => id === product_id;
  if (family_id === undefined) return () => true;
  const document = documentAt<{ data: { members: { id: string }[] } }>(site, pathOf('family', { family_id }));
  const members = new Set(document?.data.members.map(({ id }) => id));
  return document ? (id) => members.has(id) : () => true;
}

/** `meta.history` of a head speaks of what a walk from it meets, contract.md 2. */
function checkHistory(
  { faults }: SiteUnderCheck,
  path: string,
  history: ChangeHistory,
  { rows, retrieved }: { rows: number; retrieved: Span | null },
): void {
  if (history.retained_event_count !== rows) {
    const expected = `retained_event_count ${rows}, the events of a walk`;
    faults.add('list_count', path, expected, String(history.retained_event_count));
  }
  const times = [history.earliest_available_at, history.latest_available_at];
  for (const [i, name] of ['earliest_available_at', 'latest_available_at'].entries()) {
    const [expected, got] = [retrieved?.[i] ?? null, times[i] ?? null];
    const isEqual = expected === null || got === null ? expected === got : compareInstants(expected, got) === 0;
    if (!isEqual) faults.add('list_count', path, `${name} ${shown(expected)}, as its events have it`, shown(got));
  }
}
