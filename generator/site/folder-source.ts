import { objectPath, pointerFile, signatureFile } from '../../contract/paths.ts';
import type { SiteSource } from '../../contract/site/source.ts';
import type { Storage } from './storage.ts';

/** A site in a folder, as a source. */
export function folderSource(storage: Storage): SiteSource {
  return {
    readPointer: async () => storage.read(pointerFile),
    readSignature: async () => storage.read(signatureFile),
    readObject: async ({ sha256 }) => storage.read(objectPath(sha256)),
  };
}
