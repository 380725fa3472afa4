import { hash } from 'node:crypto';
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { DiskState } from './disk-model.ts';

/** The content of a folder. Names of one file share a bytes object. */
export function readState(root: string): DiskState {
  const state = new Map<string, Buffer | { readonly target: string } | 'folder'>();
  const files = new Map<number, Buffer>();
  const list = (folder: string) => {
    for (const name of readdirSync(join(root, folder)).sort()) {
      const path = join(folder, name);
      const full = join(root, path);
      const stats = lstatSync(full);
      if (stats.isDirectory()) {
        state.set(path, 'folder');
        list(path);
      } else if (stats.isSymbolicLink()) state.set(path, { target: readlinkSync(full) });
      else {
        const bytes = files.get(stats.ino) ?? readFileSync(full);
        files.set(stats.ino, bytes);
        state.set(path, bytes);
      }
    }
  };
  list('');
  return state;
}

/** Gives a folder this content, and nothing else. Private keys are among the files, so only the owner may use them. */
export function restore(root: string, state: DiskState): void {
  for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true });
  const files = new Map<Buffer, string>();
  for (const [path, content] of state) {
    const full = join(root, path);
    if (content === 'folder') mkdirSync(full);
    else if ('target' in content) symlinkSync(content.target, full);
    else {
      const other = files.get(content);
      if (other === undefined) writeFileSync(full, content, { mode: 0o600 });
      else linkSync(other, full);
      files.set(content, full);
    }
  }
}

/** A digest of each path of a state, for comparisons. `isCompared`: which paths count. */
export function digestState(state: DiskState, isCompared: (path: string) => boolean = () => true): Map<string, string> {
  const digests = new Map<string, string>();
  for (const [path, content] of state) {
    if (!isCompared(path)) continue;
    if (content === 'folder') digests.set(path, 'folder');
    else digests.set(path, 'target' in content ? `link to ${content.target}` : digestBytes(content));
  }
  return digests;
}

const known = new WeakMap<Buffer, string>();

/** States share most of their bytes, which do not change. */
function digestBytes(bytes: Buffer): string {
  const digest = known.get(bytes) ?? hash('sha256', bytes);
  known.set(bytes, digest);
  return digest;
}
