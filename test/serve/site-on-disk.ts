import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { objectPath, pointerFile } from '../../contract/paths.ts';
import { pointerBytes, type TinySite } from '../shim/tiny-site.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A dist folder for one test, removed when the test is over. */
export class SiteOnDisk implements Disposable {
  readonly folder = temporaryFolder();

  constructor(site?: TinySite) {
    if (site) this.publish(site);
  }

  /** Writes the objects first, and the pointer last, by a rename, as a build does. */
  publish(site: TinySite): void {
    for (const [hash, bytes] of site.objects) this.writeObject(hash, bytes);
    this.replacePointer(pointerBytes(site));
  }

  writeObject(hash: string, bytes: Uint8Array): void {
    const path = this.pathOf(hash);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }

  replacePointer(bytes: Uint8Array): void {
    const path = join(this.folder, pointerFile);
    writeFileSync(`${path}.new`, bytes);
    renameSync(`${path}.new`, path);
  }

  pathOf(hash: string): string {
    return join(this.folder, objectPath(hash));
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
