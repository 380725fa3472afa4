import { existsSync, lstatSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pointerFile } from '../../../contract/paths.ts';
import type { Pointer } from '../../../contract/schemas/site-files.ts';
import { makeFolder, replaceFile } from '../../files/durable-files.ts';
import { caddyFiles } from './caddy.ts';
import { nginxFiles } from './nginx.ts';
import { type HostFile, type Placement, readPlainSite } from './plain-site.ts';
import { staticFiles } from './static-rules.ts';

const makers = { nginx: nginxFiles, caddy: caddyFiles, static: staticFiles } as const;

export type HostKind = keyof typeof makers;
export const hostKinds = Object.keys(makers) as HostKind[];

/** Servers may still read two earlier generations: the previous one, and one written after their last reload. */
const formerGenerations = 2;

/**
 * Writes the configuration for the publication that the pointer names. The operator's own file comes last, so that it
 * never names a missing file. Throws a Failure if there is no site, or if the folder cannot be written.
 */
export function writeHostFiles(
  placement: Placement,
  kinds: readonly HostKind[],
): { pointer: Pointer; files: string[] } {
  const site = readPlainSite(placement);
  const files = kinds.flatMap((kind) => makers[kind](site));
  for (const file of files) writeFile(placement.out, file);
  for (const kind of kinds) removeOldGenerations(join(placement.out, kind), site.generation);
  return { pointer: site.pointer, files: files.map(({ name }) => name) };
}

/** A host reads either the old file or the new one. */
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
    // A folder without a pointer is not ours.
    .filter((path) => existsSync(join(path, pointerFile)))
    .map((path) => ({ path, time: statSync(path).mtimeMs }))
    .sort((a, b) => b.time - a.time);
  for (const { path } of former.slice(formerGenerations)) rmSync(path, { recursive: true, force: true });
}
