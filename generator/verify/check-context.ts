import type { Route } from '../contract/formats/site.ts';
import type { SiteFiles } from '../site/checked-files.ts';
import type { RouteTable } from '../site/checked-table.ts';
import type { FaultList } from '../site/fault.ts';
import type { ObjectLedger } from '../site/object-ledger.ts';
import type { Addresses } from './addresses.ts';
import type { Documents } from './documents.ts';

/** The tools of every check. */
export type CheckContext = {
  readonly files: SiteFiles;
  readonly ledger: ObjectLedger;
  readonly faults: FaultList;
  readonly progress: (text: string) => void;
};

/** The current publication, as the checks of its lists and documents see it. */
export type SiteUnderCheck = {
  readonly table: RouteTable;
  readonly documents: Documents;
  readonly addresses: Addresses;
  readonly faults: FaultList;
};

/**
 * The document at a path; null when it is missing or cannot be read. Other checks report that: those of addresses, or
 * the reading itself.
 */
export function documentAt<Document>({ table, documents }: SiteUnderCheck, path: string): Document | null {
  const route: Route | 'absent' | 'unknown' = table.find(path);
  return typeof route === 'string' ? null : (documents.read(route) as Document | null);
}
