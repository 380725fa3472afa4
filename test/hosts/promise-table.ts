import { readFileSync } from 'node:fs';
import type { FixtureSite } from '../http/fixture-site.ts';
import { bucket } from './bucket-host.ts';
import { varnish } from './cache-host.ts';
import { type HostKind, page } from './host.ts';
import { caddy, nginx, PlainServer, withService } from './plain-hosts.ts';
import { answerPromises, sitePromises } from './promises.ts';
import { service, worker } from './shim-hosts.ts';
import { staticAssets } from './static-host.ts';

/** The hosts of the table, in the order of its columns. */
export const hostKinds: readonly HostKind[] = [
  service,
  worker,
  withService(nginx, PlainServer.nginx),
  withService(caddy, PlainServer.caddy),
  nginx,
  caddy,
  varnish,
  bucket,
  staticAssets,
];

/** By promise: the differences from it; empty if the host keeps it. */
type Found = ReadonlyMap<string, readonly string[]>;

const [begin, end] = ['<!-- table: npm run hosts -->', '<!-- end of table -->'];
const [wholeHosts, keptByAll] = ['Hosts that keep every promise:', 'Promises that every host keeps:'];
const broken = 'no';

/** The titles of all promises, in the order of the table. */
export const titles: readonly string[] = [...answerPromises, ...sitePromises].map(({ title }) => title);

/** Asks a host for everything. `small`: another site, because some promises take requests to all addresses of one. */
export async function measure(
  kind: HostKind,
  site: FixtureSite,
  small: Parameters<HostKind['start']>[0],
): Promise<Found> {
  const found = new Map<string, readonly string[]>();
  await using host = await kind.start(site);
  for (const { title, differences } of answerPromises) found.set(title, await differences(site, host));
  await using other = await kind.start(small);
  for (const { title, differences } of sitePromises) found.set(title, await differences(small, other));
  return found;
}

/**
 * The current cells of a host on the page. The host keeps a promise that has no row, and all of them without a column.
 */
export function printedCells(name: string): Found {
  const text = readFileSync(page, 'utf8');
  const lines = text.slice(text.indexOf(begin), text.indexOf(end)).match(/^\|.*$/gm) ?? [];
  const [head = [], , ...rows] = lines.map((line) => line.split('|').map((cell) => cell.trim()));
  const column = head.indexOf(name);
  const isBroken = new Set(rows.filter((cells) => cells[column] === broken).map((cells) => cells[1]));
  return new Map(titles.map((title) => [title, isBroken.has(title) ? ['as the page says'] : []]));
}

/**
 * The page with its table rewritten: a row for each promise that a host breaks, a column for each host that breaks one.
 */
export function withTable(measured: ReadonlyMap<string, Found>): string {
  const isKept = (name: string, title: string) => measured.get(name)?.get(title)?.length === 0;
  const names = [...measured.keys()];
  const [whole, partial] = divided(names, (name) => titles.every((title) => isKept(name, title)));
  const [everywhere, elsewhere] = divided(titles, (title) => names.every((name) => isKept(name, title)));
  const rows = elsewhere.map((title) => [title, ...partial.map((name) => (isKept(name, title) ? '' : broken))]);
  const lines = [['promise', ...partial], ['---', ...partial.map(() => '---')], ...rows].map(
    (cells) => `| ${cells.join(' | ')} |`,
  );
  const parts = [`${wholeHosts} ${whole.join(', ')}.`, lines.join('\n'), `${keptByAll} ${everywhere.join('; ')}.`];
  const text = readFileSync(page, 'utf8');
  return `${text.slice(0, text.indexOf(begin))}${begin}\n\n${parts.join('\n\n')}\n\n${text.slice(text.indexOf(end))}`;
}

/** The values that satisfy the condition, and the others. */
function divided<T>(values: readonly T[], condition: (value: T) => boolean): [T[], T[]] {
  return [values.filter(condition), values.filter((value) => !condition(value))];
}
