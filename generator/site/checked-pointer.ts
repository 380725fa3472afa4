import { type Pointer, pointer } from '../../contract/formats/site.ts';
import { pointerFile, signatureFile } from '../../contract/paths.ts';
import { Failure } from '../files/failure.ts';
import { readable, type SiteFiles, UnreadableFile } from './checked-files.ts';
import { parseJson, schemaProblems } from './checked-json.ts';
import { FaultList, shown } from './fault.ts';
import { limits } from './http/limits.ts';
import type { SigningKey } from './keys.ts';
import { misfitOf } from './signature-file.ts';
import type { Storage } from './storage.ts';

/**
 * Reads the pointer and checks that it is consistent in itself. Null when it cannot be read or does not match its
 * schema.
 */
export function checkPointer(files: SiteFiles, faults: FaultList): Pointer | null {
  return readable(faults, ['pointer_unreadable', pointerFile, 'the pointer of a built site'], () =>
    checkPointerBytes(files.read(pointerFile).bytes, faults),
  );
}

/** Does the same as {@link checkPointer} with bytes in memory. */
function checkPointerBytes(bytes: Buffer, faults: FaultList): Pointer | null {
  if (bytes.length > limits.pointer) {
    faults.add('pointer_unreadable', pointerFile, `at most ${limits.pointer} bytes`, String(bytes.length));
    return null;
  }
  const parsed = parseJson(bytes);
  if ('problem' in parsed) {
    faults.add('pointer_unreadable', pointerFile, 'JSON', parsed.problem);
    return null;
  }
  const problems = schemaProblems(pointer, parsed.value);
  for (const { expected, got } of problems) faults.add('pointer_unreadable', pointerFile, expected, got);
  if (problems.length > 0) return null;
  const value = parsed.value as Pointer;
  checkSpelling(bytes, value, faults);
  checkConsistency(value, faults);
  return value;
}

/** The pointer of these bytes. Throws a Failure that names the first fault. `place`: what stands before its path. */
export function soundPointer(bytes: Buffer, place: string): Pointer {
  const faults = new FaultList();
  const value = checkPointerBytes(bytes, faults);
  faults.refuseFirst(place);
  if (value === null) throw new Error('a pointer without a fault could not be read');
  return value;
}

/** The pointer of a site's folder, with its bytes. Throws a Failure that names the first fault, or when there is no pointer. */
export function pointerIn(storage: Storage, folder: string): { readonly pointer: Pointer; readonly bytes: Buffer } {
  const bytes = storage.read(pointerFile);
  if (bytes !== null) return { pointer: soundPointer(bytes, `${folder}/`), bytes };
  throw new Failure(
    'site_missing',
    `${folder}: expected the folder of a site, with ${pointerFile}, got a folder without it`,
  );
}

/**
 * Reports bytes that a build would not write for this value. No hash covers the pointer, so nothing else notices an
 * added blank.
 */
function checkSpelling(bytes: Buffer, value: Pointer, faults: FaultList): void {
  const expected = Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
  if (bytes.equals(expected)) return;
  const offset = expected.findIndex((byte, index) => byte !== bytes[index]);
  faults.add(
    'pointer_inconsistent',
    pointerFile,
    'JSON indented by two blanks, and a line feed',
    `another byte at offset ${offset}`,
  );
}

/**
 * Checks that `publications` are newest first, with each revision once, and that the current publication's entry
 * repeats the fields at the top of the pointer.
 */
function checkConsistency({ publications, ...top }: Pointer, faults: FaultList): void {
  const add = (expected: string, got: string) => faults.add('pointer_inconsistent', pointerFile, expected, got);
  const revisions = new Set<string>();
  for (const [index, { sequence, revision }] of publications.entries()) {
    const newer = publications[index - 1];
    if (newer && newer.sequence <= sequence) {
      add('publications newest first', `sequence ${sequence} after sequence ${newer.sequence}`);
    }
    if (revisions.has(revision)) add('each revision once in publications', revision);
    revisions.add(revision);
  }
  const listed = publications.find(({ revision }) => revision === top.revision);
  if (!listed) {
    add(`current revision ${top.revision} in publications`, 'none of them');
    return;
  }
  const { format: _, format_version: __, ...current } = top;
  for (const key of ['sequence', 'published_at'] as const) {
    if (listed[key] !== current[key]) add(`${key} ${shown(current[key])} in publications`, shown(listed[key]));
  }
  if (listed.routes?.sha256 !== current.routes.sha256 || listed.routes.size !== current.routes.size) {
    add(`routes ${shown(current.routes)} in publications`, shown(listed.routes));
  }
}

/**
 * Checks a signature file against the pointer. `key` null: a site without a signature passes, and any key may have
 * signed. `file`: that of the site, or of a witness.
 */
export function checkSignature(
  files: SiteFiles,
  key: SigningKey | null,
  faults: FaultList,
  file: string = signatureFile,
): void {
  readable(faults, ['signature_missing', file, 'a signature that can be read'], () => {
    const pointer = readIfThere(files, pointerFile);
    const misfit = pointer && misfitOf(pointer, readIfThere(files, file), key);
    if (!misfit) return;
    const code = misfit.reason === 'unsigned' ? 'signature_missing' : 'signature_mismatch';
    faults.add(code, file, misfit.expected, misfit.got);
  });
}

function readIfThere(files: SiteFiles, path: string): Buffer | null {
  try {
    return files.read(path).bytes;
  } catch (error) {
    if (error instanceof UnreadableFile && error.isMissing) return null;
    throw error;
  }
}
