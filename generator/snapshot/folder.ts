import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { shown } from '../../contract/schemas/checked-value.ts';
import { Failure } from '../files/failure.ts';
import { Faults, FaultyInput } from '../files/faults.ts';
import { type SnapshotHeader, snapshotHeader } from './format.ts';
import { readJsonFile } from './json-file.ts';
import { type PartFiles, readPart } from './lines.ts';
import { faultySnapshot } from './row-faults.ts';

type PartName = keyof typeof partFiles;

export type SnapshotFolder = Awaited<ReturnType<typeof openSnapshot>>;

const headerFile = 'snapshot.json';
const partFiles = {
  products: 'products.ndjson',
  stores: 'stores.ndjson',
  inventory: 'inventory.ndjson',
  inventory_scope: 'inventory_scope.json',
  curation: 'curation.json',
} as const;

const partNames = Object.keys(partFiles) as PartName[];

type Parts = Readonly<Record<PartName, PartFiles | null>>;
type Report = (file: string, field: string | null, expected: string, got: string) => void;

/**
 * Finds the parts of a snapshot folder and reads its header, which is null if it is invalid. Does not check rows.
 * `parts`: the absolute paths of their files; null for a part that was not retrieved this time. `stamps`: device,
 * inode, size and times of the files, by path.
 */
export async function locateSnapshot(folder: string) {
  const absolute = resolve(folder);
  const name = basename(absolute);
  const faults = new Faults();
  const report: Report = (file, field, expected, got) => faults.add({ file, line: null, field, expected, got });
  const files = await listFiles(absolute, report);
  const parts = locateParts(absolute, files ?? new Set(), report);
  // The stamps come first, so that later changes show.
  const stamps = await readStamps([
    join(absolute, headerFile),
    ...Object.values(parts).flatMap((paths) => paths ?? []),
  ]);
  if (files === null) return { folder: absolute, name, header: null, parts, stamps, faults };
  const header = await readHeader(absolute, files, report).catch((error: unknown) => {
    if (!(error instanceof FaultyInput)) throw error;
    faults.addAll(error.faults);
    return null;
  });
  if (header !== null) checkPresence(header, parts, report);
  return { folder: absolute, name, header, parts, stamps, faults };
}

/**
 * Opens a snapshot folder: its header, the paths of its parts, and the hash of its content. Does not check rows. Throws
 * a FaultyInput with everything that keeps the folder from being read.
 */
export async function openSnapshot(folder: string) {
  const { faults, header, ...located } = await locateSnapshot(folder);
  if (faults.total > 0 || header === null) throw faultySnapshot(located.name, faults);
  const contentHash = await hashContent(join(located.folder, headerFile), located.parts);
  return { ...located, header, contentHash };
}

/** Refuses a snapshot whose files changed after it was opened: its content would not match its hash. */
export async function refuseChanged({ name, stamps }: SnapshotFolder): Promise<void> {
  const now = await readStamps([...stamps.keys()]);
  for (const [path, stamp] of stamps) {
    if (now.get(path) !== stamp)
      throw new Failure('snapshot_changed', `snapshot ${name} changed while it was read: ${basename(path)}`);
  }
}

async function readStamps(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const stamps = new Map<string, string>();
  for (const path of paths) {
    const stamp = await stat(path, { bigint: true }).then(
      ({ dev, ino, size, mtimeNs, ctimeNs }) => [dev, ino, size, mtimeNs, ctimeNs].join(),
      ({ code }: NodeJS.ErrnoException) => code ?? '',
    );
    stamps.set(path, stamp);
  }
  return stamps;
}

async function listFiles(folder: string, report: Report): Promise<ReadonlySet<string> | null> {
  try {
    return new Set(await readdir(folder));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const found: Readonly<Record<string, string>> = {
      ENOENT: 'nothing: there is no folder of this name',
      ENOTDIR: 'a file',
    };
    report(basename(folder), null, 'a snapshot folder', found[code] ?? message);
    return null;
  }
}

function locateParts(folder: string, files: ReadonlySet<string>, report: Report): Parts {
  const locateFile = (plain: string): string | null => {
    const found = [plain, `${plain}.gz`].filter((file) => files.has(file));
    if (found.length > 1) report(plain, null, 'either a plain or a gzip file', found.join(' and '));
    return found[0] === undefined ? null : join(folder, found[0]);
  };
  const locate = (part: PartName): PartFiles | null => {
    const plain = partFiles[part];
    const whole = locateFile(plain);
    const numbers = numbersIn(files, part);
    const [first, ...others] = numbers.flatMap((number) => locateFile(`${part}.${number}.ndjson`) ?? []);
    if (whole !== null && first !== undefined) report(plain, null, 'one file, or numbered ones', 'both');
    const gap = numbers.findIndex((number, index) => number !== index + 1);
    if (gap >= 0) report(plain, null, `files numbered from 1 without gaps: ${part}.${gap + 1}.ndjson`, 'none');
    if (whole !== null) return [whole];
    return first === undefined ? null : [first, ...others];
  };
  return Object.fromEntries(partNames.map((part) => [part, locate(part)])) as Parts;
}

/** The numbers of a part's files, such as 1 for `inventory.1.ndjson.gz`, ascending. */
function numbersIn(files: ReadonlySet<string>, part: PartName): number[] {
  const pattern = new RegExp(`^${part}\\.([1-9][0-9]{0,5})\\.ndjson(\\.gz)?$`);
  const numbers = [...files].map((file) => Number(pattern.exec(file)?.[1] ?? 0));
  return [...new Set(numbers.filter((number) => number > 0))].sort((a, b) => a - b);
}

async function readHeader(folder: string, files: ReadonlySet<string>, report: Report): Promise<SnapshotHeader | null> {
  if (files.has(`${headerFile}.gz`)) report(headerFile, null, 'the header as a plain file', `${headerFile}.gz`);
  if (files.has(headerFile)) return readJsonFile(join(folder, headerFile), snapshotHeader);
  if (!files.has(`${headerFile}.gz`)) report(headerFile, null, 'the header of the snapshot', 'nothing');
  return null;
}

/** The header has times for exactly the parts that are there. The scope says which stores the inventory covers. */
function checkPresence(header: SnapshotHeader, parts: Parts, report: Report): void {
  const timed = [
    ['catalog', 'products'],
    ['directory', 'stores'],
  ] as const;
  for (const [field, part] of timed) {
    const file = partFiles[part];
    const times = header[field];
    if (times === null && parts[part] !== null) report(headerFile, field, `the times of ${file}`, 'null');
    if (times !== null && parts[part] === null) report(headerFile, field, `null without ${file}`, shown(times));
  }
  const paired = [
    ['inventory', 'inventory_scope'],
    ['inventory_scope', 'inventory'],
  ] as const;
  const inventory = header.profile?.inventory ?? 'stores';
  for (const [part, other] of paired) {
    if (inventory !== 'stores' && parts[other] !== null) {
      const isStock = other === 'inventory' && inventory === 'statewide';
      if (!isStock) report(partFiles[other], null, `no such file, as the profile says inventory ${inventory}`, 'one');
    } else if (parts[part] === null && parts[other] !== null) {
      report(partFiles[part], null, `a file next to ${partFiles[other]}`, 'nothing');
    }
  }
}

/**
 * SHA-256 over the name and the SHA-256 of each part, in a fixed order. Hashes decompressed files one after the other,
 * so compressing or dividing a file changes nothing.
 */
async function hashContent(header: string, parts: Parts): Promise<string> {
  const whole = createHash('sha256').update(`${headerFile}\0${await hashPart([header])}\n`);
  for (const part of partNames) {
    const files = parts[part];
    if (files !== null) whole.update(`${partFiles[part]}\0${await hashPart(files)}\n`);
  }
  return whole.digest('hex');
}

async function hashPart(files: PartFiles): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of readPart(files)) hash.update(chunk);
  return hash.digest('hex');
}
