import { existsSync, lstatSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Pointer } from '../contract/formats/site.ts';
import { hostsFile, hostsRecord } from '../contract/formats/site-records.ts';
import { parseJson } from '../contract/json.ts';
import { explainFile, Failure } from '../failure.ts';
import { makeFolder } from '../make-folder.ts';
import { replaceFile } from '../replace-file.ts';
import { Storage } from '../site/storage.ts';
import { caddyFiles } from './caddy.ts';
import { nginxFiles } from './nginx.ts';
import { defaultPlacement, type HostFile, type Placement, readPlainSite } from './plain-site.ts';
import { staticFiles } from './static-rules.ts';

const makers = { nginx: nginxFiles, caddy: caddyFiles, static: staticFiles } as const;

/** The kinds of plain hosts that have files. */
export type HostKind = keyof typeof makers;
export const hostKinds = Object.keys(makers) as HostKind[];

/**
 * Number of earlier generations that stay, because servers may still read them: the previous one, and one that was
 * written after their last reload.
 */
const formerGenerations = 2;

/**
 * Writes the configuration of plain hosts for the publication that a site's pointer names. The file that the operator
 * gives to a host comes last, so that it never names a missing file. Throws a Failure when there is no site, or when
 * the folder cannot be written.
 */
export function writeHostFiles(
  placement: Placement,
  kinds: readonly HostKind[],
): { pointer: Pointer; files: string[] } {
  const site = readPlainSite(placement);
  const files = kinds.flatMap((kind) => makers[kind](site));
  const { root, listen, serverName, shim } = placement;
  const record = { format: 'shelfpress-hosts', format_version: 1, root, listen, server_name: serverName, shim };
  files.push({ name: hostsFile, text: `${JSON.stringify(record, null, 2)}\n` });
  // Without the record, what is there is of somebody else.
  const isKnown = existsSync(join(placement.out, hostsFile));
  for (const file of files) writeFile(placement.out, file);
  for (const kind of isKnown ? kinds : []) removeOldGenerations(join(placement.out, kind), site.generation);
  return { pointer: site.pointer, files: files.map(({ name }) => name) };
}

/** Writes a file atomically, so that a host reads either the old one or the new one. */
function writeFile(out: string, { name, text }: HostFile): void {
  const path = join(out, name);
  makeFolder(dirname(path));
  replaceFile(path, (append) => append(text));
}

function removeOldGenerations(folder: string, current: string): void {
  if (lstatSync(folder).isSymbolicLink()) return;
  const former = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^[0-9a-f]{16}$/.test(entry.name) && entry.name !== current)
    .map(({ name }) => join(folder, name))
    .map((path) => ({ path, time: statSync(path).mtimeMs }))
    .sort((a, b) => b.time - a.time);
  for (const { path } of former.slice(formerGenerations)) rmSync(path, { recursive: true, force: true });
}

type Settings = Pick<Placement, 'root' | 'listen' | 'serverName' | 'shim'>;

/**
 * The placement of a site: the settings of this run, else those of the last run, else the defaults. So a new
 * publication does not change the settings. Throws a Failure when the saved settings are something else.
 */
export function rememberedPlacement(directory: string, out: string, said: Partial<Settings>): Placement {
  return { ...defaultPlacement(directory), ...readSettings(out), ...said, out };
}

function readSettings(out: string): Partial<Settings> {
  const file = join(out, hostsFile);
  const bytes = explainFile(file, 'a file that can be read', () => new Storage(out).read(hostsFile));
  if (bytes === null) return {};
  const result = hostsRecord.safeParse(parseJson(bytes.toString()));
  if (!result.success) throw new Failure(`${file}: expected settings of hosts, got something else`);
  const { root, listen, server_name: serverName, shim } = result.data;
  return { root, listen, serverName, shim };
}
