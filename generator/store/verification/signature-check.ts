import { pointerFile, signatureFile } from '../../contract/paths.ts';
import type { Key } from '../../trust/key-files.ts';
import { misfitOf } from '../../trust/pointer-signature.ts';
import type { FaultList } from './fault.ts';
import { type SiteFiles, UnreadableFile } from './site-files.ts';

/** Holds the pointer's signature against the pointer. `key` null: whether it is of this pointer, whoever signed it. */
export function checkSignature(files: SiteFiles, key: Key | null, faults: FaultList): void {
  try {
    // The buffer of one reading serves the next.
    const pointer = readIfThere(files, pointerFile);
    const misfit = pointer && misfitOf(pointer, readIfThere(files, signatureFile), key);
    if (!misfit) return;
    const code = misfit.reason === 'unsigned' ? 'signature_missing' : 'signature_mismatch';
    faults.add(code, signatureFile, misfit.expected, misfit.got);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    faults.add('signature_missing', signatureFile, 'a signature that can be read', error.message);
  }
}

function readIfThere(files: SiteFiles, path: string): Buffer | null {
  try {
    return Buffer.from(files.read(path).bytes);
  } catch (error) {
    if (error instanceof UnreadableFile && error.isMissing) return null;
    throw error;
  }
}
