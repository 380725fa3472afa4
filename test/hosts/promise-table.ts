import { readFileSync } from 'node:fs';
import type { FixtureSite } from '../http/fixture-site.ts';
import { varnish } from './cache-host.ts';
import { type HostKind, page } from './host.ts';
import { caddy, nginx } from './plain-hosts.ts';
import { differences, promises } from './promises.ts';
import { service, worker } from './shim-hosts.ts';
import { staticAssets } from './static-host.ts';

/** The hosts of the table, in the order of its columns. */
export const hostKinds: readonly HostKind[] = [service, worker, nginx, caddy, varnish, staticAssets];

const [begin, end] = ['<!-- table: npm run hosts -->', '<!-- end of table -->'];
const [kept, broken] = ['yes', 'no'];

/** Which promises a host keeps, by title; of those it does not keep, what it answers. */
export async function measure(kind: HostKind, site: FixtureSite): Promise<Map<string, readonly string[]>> {
  await using host = await kind.start(site);
  const found = new Map<string, readonly string[]>();
  for (const promise of promises) found.set(promise.title, await differences(site, host, promise));
  return found;
}

/** The table of the page, by promise and host. */
export function printedTable(): Map<string, Map<string, string>> {
  const text = readFileSync(page, 'utf8');
  const lines = text
    .slice(text.indexOf(begin) + begin.length, text.indexOf(end))
    .trim()
    .split('\n');
  const cellsOf = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  const [, ...names] = cellsOf(lines[0] ?? '');
  return new Map(
    lines.slice(2).map((line) => {
      const [title = '', ...cells] = cellsOf(line);
      return [title, new Map(names.map((name, index) => [name, cells[index] ?? '']))];
    }),
  );
}

export function cell(found: readonly string[] | undefined): string {
  return found?.length === 0 ? kept : broken;
}

/** The page with its table made anew. */
export function withTable(measured: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>): string {
  const names = [...measured.keys()];
  const rows = promises.map(({ title }) => [title, ...names.map((name) => cell(measured.get(name)?.get(title)))]);
  const lines = [['', ...names], ['---', ...names.map(() => '---')], ...rows].map(
    (cells) => `| ${cells.join(' | ')} |`,
  );
  const text = readFileSync(page, 'utf8');
  return `${text.slice(0, text.indexOf(begin))}${begin}\n\n${lines.join('\n')}\n\n${text.slice(text.indexOf(end))}`;
}
