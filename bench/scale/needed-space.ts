import { spawnSync } from 'node:child_process';
import { Lab } from '../lab.ts';
import type { Program } from '../program.ts';
import { writeSeries } from '../synthetic-series.ts';
import { freeBytes, roomiest, type Workspace } from '../workspace.ts';
import { answerKinds } from './answer-kinds.ts';
import type { Scale } from './scale-sizes.ts';

/** What a size will take. Bytes of files count as the disk counts them, in whole blocks. */
export type NeededSpace = {
  /** For everything but the mirror. */
  readonly bytes: number;
  readonly mirrorBytes: number;
  /** Bytes of answers that each additional product adds, by kind. */
  readonly bytesAProduct: ReadonlyMap<string, number>;
};

/** Series with these numbers of products, in all stores of the size, show how much a product adds. */
const [few, more] = [60, 180];
/** A margin for products that differ, and folders that grow in steps. */
const reserve = 1.15;

/** Makes two small sites with the stores of the size, and continues the line through them to its products. */
export async function neededSpace(
  program: Program,
  { name, size, withProducts }: Scale,
  workspace: Workspace,
  say: (text: string) => void,
): Promise<NeededSpace> {
  say(`${name}: ${few} and ${more} products, to see what space it needs`);
  const low = await sample(program, withProducts(few), workspace, say);
  const high = await sample(program, withProducts(more), workspace, say);
  const slope = (from: number, to: number) => (to - from) / (more - few);
  const grown = (from: number, to: number) => Math.round((from + slope(from, to) * (size.products - few)) * reserve);
  const bytesAProduct = new Map(
    high.kinds.map(({ kind, bytes: to }) => [kind, slope(low.kinds.find((one) => one.kind === kind)?.bytes ?? 0, to)]),
  );
  const mirrorBytes = grown(low.mirrorBytes, high.mirrorBytes);
  return { bytes: grown(low.bytes, high.bytes), mirrorBytes, bytesAProduct };
}

/** The folder to work in. Throws an error that says where how much space is missing. */
export function folderFor({ name }: Scale, bytes: number, wanted: string | undefined): string {
  const folder = wanted ?? roomiest(bytes);
  const free = freeBytes(folder);
  if (free >= bytes) return folder;
  const gigabytes = (value: number) => `${(value / 1e9).toFixed(1)} GB`;
  throw new Error(
    `--scale-of ${name}: needs ${gigabytes(bytes)}, and ${folder} has ${gigabytes(free)} free: choose a folder with --tmp`,
  );
}

async function sample(program: Program, size: Scale['size'], workspace: Workspace, say: (text: string) => void) {
  const [folder, database, site] = ['snapshots', 'publication.sqlite', 'site'].map((part) => workspace.path(part)) as [
    string,
    string,
    string,
  ];
  const snapshots = writeSeries(folder, size);
  const lab = new Lab(program, workspace, snapshots, 1, say);
  await lab.publish(database, snapshots.slice(0, -1));
  await lab.build(database, site, 'retained');
  await lab.publish(database, snapshots.slice(-1));
  await lab.build(database, site, 'retained');
  // A mirror has all files of the site again.
  const mirrorBytes = diskBytes(site);
  const bytes = diskBytes(folder) + diskBytes(database) + mirrorBytes;
  const kinds = answerKinds(site);
  workspace.remove(folder, database, site);
  return { bytes, mirrorBytes, kinds };
}

/** Bytes of the blocks of all files below a path, counting each file once, however many names it has. */
export function diskBytes(path: string): number {
  const { stdout, status } = spawnSync('du', ['-sk', path], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`du -sk ${path}: ended with code ${status}`);
  return Number.parseInt(stdout, 10) * 1024;
}
