import {
  type BuildLedger,
  buildLedger,
  type Inputs,
  type LedgerEntry,
  ledgerFile,
  type Route,
} from '../../contract/formats/site.ts';
import { parseJson } from '../../contract/text.ts';
import type { Publication } from '../database/publications.ts';
import type { Catalog } from '../documents/catalog.ts';
import type { Explorer } from '../documents/explorer-page.ts';
import type { Routes } from '../site/route-table.ts';
import type { Storage } from '../site/storage.ts';
import type { DocumentWriter } from './document-writer.ts';

/**
 * A part of a site that is made or kept as a whole. `inputs`: what its documents depend on. `facts`: what its maker is given, which
 * can be sent to another thread. `weight`: about how many documents it makes, or takes as long as.
 */
export type Unit<Facts = unknown> = {
  readonly name: string;
  readonly inputs: Inputs;
  readonly facts: Facts;
  readonly weight: number;
};

/** What the units of a build are found from. */
export type BuildContext = {
  readonly writer: DocumentWriter;
  readonly catalog: Catalog;
  /** Publications whose exports the site has, newest first. */
  readonly exported: readonly Publication[];
  /** The page for people; null where the site has none. */
  readonly explorer: Explorer | null;
  /** The inputs of a unit that was found before, as one value. */
  readonly unitInputs: (unit: string) => Inputs[string];
  /** The file at an address that a unit of an earlier stage wrote. */
  readonly fileAt: (path: string) => SiteFile;
};

/** A file as it is at its address. */
export type SiteFile = Pick<Route, 'sha256' | 'size' | 'etag'>;

/**
 * The ledger of a site: which units the last build had, of which inputs, and what each wrote. It is written after everything
 * else, which a power failure may damage. A damaged ledger counts as none: then everything is made, of the same bytes.
 */
export function readLedger(storage: Storage): BuildLedger | null {
  const bytes = storage.read(ledgerFile);
  return buildLedger.safeParse(bytes && parseJson(bytes.toString())).data ?? null;
}

export function writeLedger(storage: Storage, ledger: BuildLedger): void {
  const bytes = Buffer.from(JSON.stringify(ledger));
  if (!storage.read(ledgerFile)?.equals(bytes)) storage.replace(ledgerFile, bytes);
}

/** The units of the build before. None where there is no site, other code made it, or its ledger is of another route table. */
export type PreviousUnits = Readonly<Record<string, LedgerEntry>> | null;

/**
 * Why a unit has to be made; null when it was made of the same inputs, and everything that it wrote is there. This one rule
 * decides what a build makes.
 */
export function reasonToMake(previous: PreviousUnits, routes: Routes, unit: string, inputs: Inputs): string | null {
  if (previous === null) return 'nothing was known of the units before';
  const before = previous[unit];
  if (!before) return 'there was no such unit';
  const changed = Object.keys(inputs).find((name) => inputs[name] !== before.inputs[name]);
  if (changed !== undefined) return `${changed} was ${before.inputs[changed]}, and is ${inputs[changed]}`;
  const missing = before.paths.find((path) => !isOwn(routes.get(path)));
  return missing === undefined ? null : `${missing} was missing`;
}

/** What a unit wrote, as the site has it. */
export function routesOfUnit(previous: PreviousUnits, routes: Routes, unit: string): Route[] {
  return (previous?.[unit]?.paths ?? []).map((path) => routes.get(path)).filter(isOwn);
}

/** Whether a route is the current publication's own, and not carried for readers of an earlier one. */
function isOwn(route: Route | undefined): route is Route {
  return route !== undefined && route.last_sequence === undefined;
}
