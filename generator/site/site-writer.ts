import { checkoutFolder, pointerFile, signatureFile, siteLink, uuidPattern } from '../../contract/paths.ts';
import type { Pointer } from '../../contract/schemas/site-files.ts';
import { type Signing, signedFile } from '../trust/signature-file.ts';
import type { Storage } from './storage.ts';

/**
 * Switches readers to a publication whose objects and names are all in place. Writes the signature first, which fits
 * both pointers, then the link, and the pointer last. `signing` null: the site is not signed. `target`: the checkout.
 */
export function moveTo(storage: Storage, pointer: Pointer, signing: Signing | null, target: string): void {
  const bytes = pointerBytes(pointer);
  if (signing) signPointer(storage, bytes, signing);
  if (storage.pointsTo(siteLink) !== target) storage.pointTo(siteLink, target);
  if (!isPointerAt(storage, pointer)) storage.replace(pointerFile, bytes);
}

/** Writes a signature file that fits the new pointer, unless it is there. */
function signPointer(storage: Storage, pointer: Uint8Array, signing: Signing): void {
  const existing = storage.read(signatureFile);
  const signed = signedFile(signing, pointer, existing, storage.read(pointerFile));
  if (!existing?.equals(signed)) storage.replace(signatureFile, signed);
}

/** Whether a site's pointer is already this one, byte for byte. */
export function isPointerAt(storage: Storage, pointer: Pointer): boolean {
  return pointerBytes(pointer).equals(storage.read(pointerFile) ?? Buffer.alloc(0));
}

function pointerBytes(pointer: Pointer): Buffer {
  return Buffer.from(`${JSON.stringify(pointer, null, 2)}\n`);
}

/** The names of objects and checkouts, also of half-written ones. Files with other names are not ours. */
const objectFile = /^objects\/([0-9a-f]{2})\/\1[0-9a-f]{62}((\.\d+)?\.tmp)?$/;
const checkoutName = new RegExp(`^${uuidPattern}(\\.next)?$`);

/** Removes checkouts of other publications, and objects that are not named. Returns the number of removed objects. */
export function sweep(storage: Storage, revisions: ReadonlySet<string>, named: ReadonlySet<string>): number {
  for (const revision of storage.entries('checkouts')) {
    if (checkoutName.test(revision) && !revisions.has(revision)) storage.removeFolder(checkoutFolder(revision));
  }
  let removed = 0;
  for (const name of storage.list('objects')) {
    if (!objectFile.test(name) || named.has(name.slice(name.lastIndexOf('/') + 1))) continue;
    storage.remove(name);
    removed += 1;
  }
  return removed;
}
