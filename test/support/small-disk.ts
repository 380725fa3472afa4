import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small file system in memory, which soon fills up. */
export class SmallDisk implements Disposable {
  readonly path: string;
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.path = join(folder, 'disk');
  }

  /** Null if this user may not mount. */
  static mount(bytes: number): SmallDisk | null {
    const disk = new SmallDisk(mkdtempSync(join(tmpdir(), 'shelfpress-disk-')));
    mkdirSync(disk.path);
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', disk.path], {
      stdio: 'ignore',
    });
    if (status === 0) return disk;
    rmSync(disk.#folder, { recursive: true });
    return null;
  }

  /** Makes the file system read-only. Returns whether that worked. */
  makeReadOnly(): boolean {
    return this.#remount('ro');
  }

  /** Gives the file system this size. */
  resize(bytes: number): void {
    this.#remount(`size=${bytes}`);
  }

  #remount(option: string): boolean {
    return spawnSync('mount', ['-o', `remount,${option}`, this.path], { stdio: 'ignore' }).status === 0;
  }

  [Symbol.dispose](): void {
    spawnSync('umount', ['-l', this.path], { stdio: 'ignore' });
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
