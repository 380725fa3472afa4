import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An ext4 file system in a file, as if on its own disk. */
export class LoopDisk implements Disposable {
  readonly path: string;
  readonly #folder: string;
  readonly #image: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#image = join(folder, 'image');
    this.path = join(folder, 'disk');
    mkdirSync(this.path);
  }

  /** Null if this user may not mount, or if the system has no loop devices. */
  static make(bytes: number): LoopDisk | null {
    const disk = new LoopDisk(mkdtempSync(join(tmpdir(), 'shelfpress-loop-')));
    writeFileSync(disk.#image, '');
    truncateSync(disk.#image, bytes);
    if (succeeds('mkfs.ext4', '-q', disk.#image) && disk.#mount()) return disk;
    rmSync(disk.#folder, { recursive: true });
    return null;
  }

  /** The disk as a power failure would leave it now: mounted from a copy of what is in the file. */
  afterPowerFailure(): LoopDisk {
    const copy = new LoopDisk(mkdtempSync(join(tmpdir(), 'shelfpress-loop-')));
    copyFileSync(this.#image, copy.#image);
    if (copy.#mount()) return copy;
    rmSync(copy.#folder, { recursive: true });
    throw new Error('the copy of a disk that was mounted could not be mounted');
  }

  #mount(): boolean {
    return succeeds('mount', '-o', 'loop', this.#image, this.path);
  }

  [Symbol.dispose](): void {
    spawnSync('umount', [this.path], { stdio: 'ignore' });
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function succeeds(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}
