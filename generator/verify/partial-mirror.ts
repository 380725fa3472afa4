import type { Pointer, Route } from '../contract/formats/site.ts';
import { type MirrorHolding, mirrorFile } from '../contract/formats/site-records.ts';
import { checkoutFolder, checkoutPath, pointerFile } from '../contract/paths.ts';
import { Failure } from '../failure.ts';
import { type SiteFiles, UnreadableFile } from '../site/checked-files.ts';
import { checkRoute, checkValidators } from '../site/checked-route.ts';
import { checkTable, RouteTable } from '../site/checked-table.ts';
import { holdingOf, parseMirrorRecord } from '../site/mirror-record.ts';
import { selectRoutes } from '../site/route-selection.ts';
import type { CheckContext } from './check-context.ts';
import { checkCheckout, checkSiteLink } from './checkout.ts';
import type { CurrentCounts } from './current-publication.ts';
import { VariantCheck } from './variants.ts';

/** The record of a partial mirror about what it holds; null for a whole mirror and for a site that is no mirror. */
export type PartialHolding = MirrorHolding & { readonly only: readonly string[] };

export function readPartialHolding({ files, faults }: CheckContext): PartialHolding | null {
  try {
    const record = parseMirrorRecord(Buffer.from(files.read(mirrorFile).bytes));
    const holding = holdingOf(record, files.read(pointerFile).bytes);
    return holding?.only ? { ...holding, only: holding.only } : null;
  } catch (error) {
    if (error instanceof UnreadableFile && error.isMissing) return null;
    if (!(error instanceof Failure || error instanceof UnreadableFile)) throw error;
    faults.add('mirror_unreadable', mirrorFile, 'what a mirror says of itself', error.message);
    return null;
  }
}

/**
 * Checks what a partial mirror holds: the whole route table, and the objects, variants and files of the selected
 * routes. Does not follow addresses in documents, because their answers may be elsewhere.
 */
export function checkPartial(context: CheckContext, pointer: Pointer, { only }: PartialHolding): CurrentCounts {
  const { ledger, faults, files } = context;
  const table = checkTable(context, pointer.routes, `revision ${pointer.revision}`);
  const routes = [...(table?.routes.values() ?? [])];
  for (const route of routes) checkRoute(route, pointer.published_at, faults);
  const held = selectRoutes(routes, only);
  const variants = new VariantCheck(ledger, faults);
  for (const route of held) {
    const object = ledger.check(route.sha256, route.path);
    if (object) checkValidators(route, object, faults);
    variants.check(route);
  }
  // A mirror that held more before may have more files of this publication. They need not be there, but those that are
  // must be right.
  const folder = checkoutFolder(pointer.revision);
  const more = routes.filter((route) => isThere(files, folder, route));
  const present = new Map([...held, ...more].map((route) => [route.path, route]));
  checkCheckout(context, pointer.revision, new RouteTable(present, 0, new Set(table?.isComplete ? [] : [0])));
  checkSiteLink(files, pointer.revision, faults);
  return { routes: held.length, lists: 0, rows: 0, export_records: 0 };
}

function isThere(files: SiteFiles, folder: string, { path }: Route): boolean {
  try {
    return files.stat(`${folder}/${checkoutPath(path)}`).isFile();
  } catch (error) {
    if (error instanceof UnreadableFile) return false;
    throw error;
  }
}
