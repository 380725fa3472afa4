import { checkoutFolder } from '../../contract/paths.ts';
import { firstFaults } from '../../contract/schemas/checked-value.ts';
import type { Pointer, Route } from '../../contract/schemas/site-files.ts';
import { parseJson } from '../../contract/text.ts';
import { buildUnfinished } from '../site/foreign-folder.ts';
import { isLive } from '../site/publication-checkout.ts';
import type { Routes } from '../site/route-table.ts';
import type { Storage } from '../site/storage.ts';
import {
  type BuildLedger,
  type Inputs,
  type LedgerEntry,
  ledgerEntry,
  ledgerFile,
  uncheckedLedger,
} from './ledger-file.ts';

/**
 * The ledger of a site lists the units of the last build, with their inputs and what each wrote. It is written last, so
 * a power failure can damage it. A damaged ledger is ignored: everything is made again, and comes out the same.
 */
export function readLedger(storage: Storage): BuildLedger | null {
  const bytes = storage.read(ledgerFile);
  const value = bytes && parseJson(bytes.toString());
  const ledger = uncheckedLedger.safeParse(value).data;
  // The schema is used for every unit, so it is compiled. The check then takes a fifth of the time.
  const isSound = ledger && Object.values(ledger.units).every((unit) => firstFaults(ledgerEntry, unit).length === 0);
  return isSound ? (ledger as BuildLedger) : null;
}

/**
 * Whether the last build ended, and was of the same publication, code and settings, so that another build would change
 * nothing. The units are not looked at: the pointer, the ledger and the code decide.
 */
export function isBuilt(storage: Storage, pointer: Pointer, settings: string, key: string): boolean {
  if (storage.exists(buildUnfinished) || !isLive(storage, pointer.revision)) return false;
  const bytes = storage.exists(checkoutFolder(pointer.revision)) ? storage.read(ledgerFile) : null;
  const last = bytes && (parseJson(bytes.toString()) as Partial<BuildLedger> | null);
  return last?.table === pointer.routes.sha256 && last.key === key && last.settings === settings;
}

export function writeLedger(storage: Storage, ledger: BuildLedger): void {
  const bytes = Buffer.from(JSON.stringify(ledger));
  if (!storage.read(ledgerFile)?.equals(bytes)) storage.replace(ledgerFile, bytes);
}

/**
 * The units of the last build, and whether this code made them; null without a site, or with the ledger of another
 * route table.
 */
export type PreviousUnits = {
  readonly entries: Readonly<Record<string, LedgerEntry>>;
  readonly isOfThisCode: boolean;
} | null;

/**
 * Why a unit has to be made; null when its inputs are the same and everything that it wrote is still there. This one
 * rule decides what a build makes.
 */
export function reasonToMake(previous: PreviousUnits, routes: Routes, unit: string, inputs: Inputs): string | null {
  if (previous === null) return 'nothing was known about the previous units';
  if (!previous.isOfThisCode) return 'other code made it';
  const before = previous.entries[unit];
  if (!before) return 'there was no such unit';
  const changed = Object.keys(inputs).find((name) => inputs[name] !== before.inputs[name]);
  if (changed !== undefined) return `${changed} was ${before.inputs[changed]}, and is ${inputs[changed]}`;
  const missing = before.paths.find((path) => !isOwn(routes.get(path)));
  return missing === undefined ? null : `${missing} was missing`;
}

/**
 * The routes that a unit wrote, if the site still has them. If other code wrote them, only the immutable ones are
 * returned: their addresses keep their bytes, whatever this code would make.
 */
export function routesOfUnit(previous: PreviousUnits, routes: Routes, unit: string): Route[] {
  const own = (previous?.entries[unit]?.paths ?? []).map((path) => routes.get(path)).filter(isOwn);
  return previous?.isOfThisCode ? own : own.filter(({ cache }) => cache === 'immutable');
}

/** Whether a route belongs to the current publication, and is not carried for readers of an earlier one. */
function isOwn(route: Route | undefined): route is Route {
  return route !== undefined && route.last_sequence === undefined;
}
