import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyLive } from '../../generator/verify/live-site.ts';
import { ScriptContext } from '../http/claims.ts';
import type { FixtureSite } from '../http/fixture-site.ts';
import { parseScripts, type Script } from '../http/script-format.ts';
import { hasty, mirror } from '../mirror/published-sites.ts';
import { temporaryFolder } from '../units/fixture-series.ts';
import { readTree } from '../units/site-tree.ts';
import type { Host } from './host.ts';

/** Something that a host of a site may promise. */
type Promised<Site> = {
  readonly title: string;
  /** The differences from the promise; empty if the host keeps it. */
  readonly differences: (site: Site, host: Host) => Promise<readonly string[]>;
};

type AnySite = Pick<FixtureSite, 'dist'>;

const scripts = parseScripts(readFileSync(new URL('promises.http', import.meta.url), 'utf8'));

/** Promises about answers made from the bundled snapshots. */
export const answerPromises: readonly Promised<FixtureSite>[] = scripts.map((script) => ({
  title: script.title,
  differences: (site, host) => follow(script, site, host),
}));

/** Promises about all addresses of a site. */
export const sitePromises: readonly Promised<AnySite>[] = [
  { title: '`mirror` makes the same site from it, and then finds nothing new with one request', differences: mirrored },
  { title: '`verify --all` finds every address as the contract requires', differences: verified },
  { title: '`verify --all --bytes` finds every byte as the pointer requires', differences: verifiedBytes },
];

async function follow({ exchanges }: Script, site: FixtureSite, host: Host): Promise<string[]> {
  const context = new ScriptContext(site);
  for (const exchange of exchanges) {
    const { method } = exchange;
    const target = context.fill(exchange.target);
    const headers = Object.fromEntries(exchange.headers.map(([name, value]) => [name, context.fill(value)]));
    const reply = await host.get(target, headers, method);
    const found = context.differences(exchange, reply);
    if (found.length > 0) return found.map((difference) => `${method} ${target.slice(0, 100)}: ${difference}`);
  }
  return [];
}

/** Hosts in which a full verification found no fault. */
const sound = new WeakSet<Host>();

async function verified(_: AnySite, host: Host): Promise<string[]> {
  const found = await faultsAt(host, false);
  if (found.length === 0) sound.add(host);
  return found;
}

/** A host without faults has intact bytes too. On any other, this verifies the bytes alone. */
async function verifiedBytes(_: AnySite, host: Host): Promise<string[]> {
  return sound.has(host) ? [] : faultsAt(host, true);
}

async function faultsAt({ url }: Host, bytesOnly: boolean): Promise<string[]> {
  const { faults } = await verifyLive({ url, key: null, sample: null, bytesOnly, patience: hasty }, () => undefined);
  return faults.map(({ code, path, expected, got }) => `${code} ${path}: expected ${expected}, got ${got}`);
}

async function mirrored(site: AnySite, host: Host): Promise<string[]> {
  const folder = temporaryFolder();
  try {
    const copy = join(folder.path, 'mirror');
    await mirror(host.url, copy);
    const again = await mirror(host.url, copy);
    const [theirs, ours] = [publicFiles(site.dist), publicFiles(copy)];
    const others = [...theirs].filter(([name, sha256]) => ours.get(name) !== sha256).map(([name]) => name);
    if (others.length > 0 || ours.size !== theirs.size) return [`other files: ${others.slice(0, 5)}`];
    return again.requests === 1 ? [] : [`expected one request when nothing is new, got ${again.requests}`];
  } finally {
    folder.remove();
  }
}

/** The files of a site that readers see, with the hashes of their bytes. */
function publicFiles(site: string): Map<string, string> {
  const files = [...readTree(site)].filter(([name]) => /^(objects|checkouts)\/|^current\.json/.test(name));
  return new Map(files.map(([name, { sha256 }]) => [name, sha256]));
}
