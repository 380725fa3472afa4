import { pointerFile, signatureFile } from '../../contract/paths.ts';
import type { Pointer } from '../../contract/schemas/site-files.ts';
import { sound } from '../../contract/site/file-value.ts';
import { type PointerFault, parsePointer } from '../../contract/site/pointer.ts';
import type { Signed } from '../../contract/site/signature.ts';
import { Failure } from '../files/failure.ts';
import type { SigningKey } from '../trust/keys.ts';
import { readSignature } from '../trust/signature-file.ts';
import { readable, type SiteFiles, UnreadableFile } from './checked-files.ts';
import { type Fault, type FaultList, formatFault } from './fault.ts';
import type { Storage } from './storage.ts';

/** Checks that the pointer is consistent in itself. Null if it cannot be read or does not match its schema. */
export function checkPointer(files: SiteFiles, faults: FaultList): Pointer | null {
  return readable(faults, ['pointer_unreadable', pointerFile, 'the pointer of a built site'], () =>
    parsePointer(files.read(pointerFile).bytes, 'exact', (found) => {
      const { code, path, expected, got } = faultIn(found);
      faults.add(code, path, expected, got);
    }),
  );
}

function faultIn({ kind, expected, got }: PointerFault): Fault {
  return { code: `pointer_${kind}`, path: pointerFile, expected, got };
}

/**
 * The pointer with these bytes. Throws a Failure that names its first fault. `place`: the text before the path there.
 */
export function soundPointer(bytes: Uint8Array, place: string): Pointer {
  return sound(
    parsePointer(bytes, 'exact', (found) => {
      throw new Failure('site_damaged', place + formatFault(faultIn(found)));
    }),
  );
}

/** The pointer in a folder. Throws a Failure that names its first fault, or if there is no pointer. */
export function pointerIn(storage: Storage, folder: string): { readonly pointer: Pointer; readonly bytes: Buffer } {
  const bytes = storage.read(pointerFile);
  if (bytes !== null) return { pointer: soundPointer(bytes, `${folder}/`), bytes };
  throw new Failure(
    'site_missing',
    `${folder}: expected the folder of a site, with ${pointerFile}, got a folder without it`,
  );
}

/**
 * Checks a signature file against the pointer. A null `key` accepts an unsigned site and any signer. With a key, an
 * expired signature is a fault. `file`: the signature file of the site or of a witness. `now`: milliseconds since 1970.
 */
export function checkSignature(
  files: SiteFiles,
  key: SigningKey | null,
  faults: FaultList,
  now: number,
  file: string = signatureFile,
): void {
  readable(faults, ['signature_missing', file, 'a signature that can be read'], () => {
    const pointer = readIfThere(files, pointerFile);
    const found = pointer && readSignature(pointer, readIfThere(files, file), key);
    if (!found) return;
    if ('checkpoint' in found) {
      if (key !== null) checkExpiry(found, file, now, faults);
      return;
    }
    const code = found.reason === 'unsigned' ? 'signature_missing' : 'signature_mismatch';
    faults.add(code, file, found.expected, found.got);
  });
}

/** `now`: milliseconds since 1970. */
export function checkExpiry({ checkpoint: { expires } }: Signed, file: string, now: number, faults: FaultList): void {
  if (expires === null || Date.parse(expires) >= now) return;
  faults.add('signature_expired', file, 'a signature that has not expired', `one that expired at ${expires}`);
}

function readIfThere(files: SiteFiles, path: string): Buffer | null {
  try {
    return files.read(path).bytes;
  } catch (error) {
    if (error instanceof UnreadableFile && error.isMissing) return null;
    throw error;
  }
}
