import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { copyWithoutLinks, isThere, makeFolder, moveFile, removeFile, replaceFile } from '../files/durable-files.ts';

/* Moves between the folders of `update`. A killed run leaves the list of its moves, and the next one finishes them. */

export type Move = readonly [from: string, to: string];

/** Keeps what was delivered: replaces each symbolic link by a copy of its target, because the target may vanish. */
export function withoutLinks(
  moves: readonly Move[],
  { copies, gone }: { readonly copies: string; readonly gone: string },
): Move[] {
  return moves.flatMap(([from, to], index): Move[] => {
    if (!hasLink(from)) return [[from, to]];
    const [copy, link] = [join(copies, String(index)), join(gone, String(index))];
    removeFile(link);
    copyWithoutLinks(from, copy);
    return [
      [copy, to],
      [from, link],
    ];
  });
}

function hasLink(path: string): boolean {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return stats.isSymbolicLink();
  return readdirSync(path).some((name) => hasLink(join(path, name)));
}

/** A path in a folder for something with this name. If the name is taken, a number is added. */
export function freePath(folder: string, name: string): string {
  for (let count = 1; ; count += 1) {
    const path = join(folder, count === 1 ? name : `${name}-${count}`);
    if (!isThere(path)) return path;
  }
}

/** Makes moves that belong together. If the run is killed, the next one continues with the list. */
export function moveAll(list: string, moves: readonly Move[]): void {
  // The next run may reach the same folder by a different path.
  const named = moves.map((paths) => paths.map((path) => relative(dirname(list), path)));
  replaceFile(list, (append) => append(JSON.stringify(named)));
  finishMoves(list);
}

/** Makes the remaining moves of a list. Files that arrived later under a moved name stay. */
export function finishMoves(list: string): void {
  if (!existsSync(list)) return;
  const moves: Move[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const [from, to] of moves.map(
    ([one, other]) => [join(dirname(list), one), join(dirname(list), other)] as const,
  )) {
    if (!isThere(from) || isThere(to)) continue;
    makeFolder(dirname(to));
    moveFile(from, to);
  }
  removeFile(list);
}
