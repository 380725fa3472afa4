import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { explainFile, Failure } from '../../files/failure.ts';
import { firstBytes } from '../../files/regular-file.ts';
import { fileFailure, type InputFile, inputFile } from './input.ts';
import { mostTimes, openArchive, unsuspicious } from './workbook-archive.ts';

/** How a file is packed; null if it is not. A workbook is a ZIP file too; `isOfRecipe` says to read it as it is. */
function detectPacking(path: string, isOfRecipe: boolean): 'gzip' | 'zip' | null {
  const start = explainFile(path, 'a file', () => firstBytes(path, 4));
  if (start[0] === 0x1f && start[1] === 0x8b) return 'gzip';
  if (start.toString('latin1') !== 'PK\x03\x04') return null;
  return isOfRecipe && !path.toLowerCase().endsWith('.zip') ? null : 'zip';
}

async function namesIn(path: string): Promise<readonly string[]> {
  const archive = await openArchive(inputFile(path), 'a ZIP file');
  archive.close();
  return archive.names;
}

/** The files in a packed file, or the file itself: `list.csv` for `list.csv.gz`, or the names in a ZIP file. */
export async function packedNames(path: string): Promise<readonly string[]> {
  const name = basename(path);
  if (name.toLowerCase().endsWith('.gz')) return [name, name.slice(0, -3)];
  if (!name.toLowerCase().endsWith('.zip')) return [name];
  return [name, ...(await namesIn(path)).map((entry) => basename(entry))];
}

/**
 * The file at a path, or its content, unpacked into a folder. Unpacks only files with a `wanted` name from a ZIP file.
 * A checksum beside the file, as in `list.csv.sha256`, must match.
 */
export async function openInput(
  path: string,
  folder: string,
  wanted: (name: string) => boolean,
): Promise<readonly InputFile[]> {
  const file = inputFile(path);
  await compareChecksum(file);
  const packing = detectPacking(path, wanted(basename(path)));
  if (packing === null) return [file];
  const place = join(folder, file.identity.replace(':', '-'));
  mkdirSync(place);
  if (packing === 'gzip') {
    const name = basename(path).replace(/\.gz$/i, '');
    const source = join(place, name);
    await unpackGzip(file, source);
    return [inputFile(path, source, name)];
  }
  const archive = await openArchive(file, 'a ZIP file');
  try {
    const names = archive.names.filter((name) => !name.endsWith('/') && wanted(basename(name)));
    const unpacked: InputFile[] = [];
    for (const [index, name] of names.entries()) {
      const source = join(place, String(index));
      await pipeline(Readable.from(archive.read(name)), createWriteStream(source, { flags: 'wx' }));
      unpacked.push(inputFile(`${path}/${name}`, source, basename(name)));
    }
    if (unpacked.length === 0)
      throw fileFailure(path, 'a ZIP file with a file of the recipe', archive.names.slice(0, 5).join(', ') || 'none');
    return unpacked;
  } finally {
    archive.close();
  }
}

async function unpackGzip({ path, size }: InputFile, source: string): Promise<void> {
  let length = 0;
  async function* counted(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      length += chunk.length;
      if (length > unsuspicious && length > size * mostTimes)
        throw fileFailure(path, `a gzip file of at most ${mostTimes} times its packed size`, 'more');
      yield chunk;
    }
  }
  try {
    await pipeline(createReadStream(path), createGunzip(), counted, createWriteStream(source, { flags: 'wx' }));
  } catch (error) {
    if (error instanceof Failure || !(error instanceof Error) || !('code' in error)) throw error;
    if (!String(error.code).startsWith('Z_')) throw error;
    throw fileFailure(path, 'a whole gzip file', error.message);
  }
}

async function compareChecksum({ path }: InputFile): Promise<void> {
  const beside = `${path}.sha256`;
  if (!existsSync(beside)) return;
  const [stated = ''] = /^[0-9a-f]{64}(?=\s|$)/i.exec(readFileSync(beside, 'utf8').trim()) ?? [];
  if (stated === '') throw fileFailure(beside, 'a SHA-256 of 64 digits', 'something else');
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  const got = hash.digest('hex');
  if (got !== stated.toLowerCase())
    throw fileFailure(path, `the SHA-256 ${stated} that ${basename(beside)} states`, got);
}
