import { readFileSync } from 'node:fs';
import type { FixtureSite } from '../http/fixture-site.ts';
import { bucket } from './bucket-host.ts';
import { varnish } from './cache-host.ts';
import { type HostKind, page } from './host.ts';
import { caddy, nginx, PlainServer, withService } from './plain-hosts.ts';
import { promises } from './promises.ts';
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
const [kept, broken] = ['yes', 'no'];

export async function measure(kind: HostKind, site: FixtureSite): Promise<Found> {
  await using host = await kind.start(site);
  const found = new Map<string, readonly string[]>();
  for (const promise of promises) found.set(promise.title, await promise.differences(site, host));
  return found;
}

/** The current cells of a host on the page. */
export function printedCells(name: string): Found {
  const text = readFileSync(page, 'utf8');
  const lines = text
    .slice(text.indexOf(begin) + begin.length, text.indexOf(end))
    .trim()
    .split('\n');
  const [head = [], , ...rows] = lines.map((line) => line.split('|').map((cell) => cell.trim()));
  const column = head.indexOf(name);
  return new Map(rows.map((cells) => [cells[1] ?? '', cells[column] === kept ? [] : ['as the page says']]));
}

/** The page with its table rewritten. */
export function withTable(measured: ReadonlyMap<string, Found>): string {
  const names = [...measured.keys()];
  const cellOf = (name: string, title: string) => (measured.get(name)?.get(title)?.length === 0 ? kept : broken);
  const rows = promises.map(({ title }) => [title, ...names.map((name) => cellOf(name, title))]);
  const lines = [['', ...names], ['---', ...names.map(() => '---')], ...rows].map(
    (cells) => `| ${cells.join(' | ')} |`,
  );
  const text = readFileSync(page, 'utf8');
  return `${text.slice(0, text.indexOf(begin))}${begin}\n\n${lines.join('\n')}\n\n${text.slice(text.indexOf(end))}`;
}
