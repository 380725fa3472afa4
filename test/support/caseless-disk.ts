import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An exFAT file system, as on most cards and sticks: without links, without modes, and with names of either case. */
export class CaselessDisk implements Disposable {
  readonly path: string;
  readonly #folder: string;
  #device = '';

  private constructor(folder: string) {
    this.#folder = folder;
    this.path = join(folder, 'disk');
    mkdirSync(this.path);
  }

  /** Null if this user may not mount, or if a program or a device for that is missing. */
  static make(bytes: number): CaselessDisk | null {
    const disk = new CaselessDisk(mkdtempSync(join(tmpdir(), 'shelfpress-caseless-')));
    const image = join(disk.#folder, 'image');
    writeFileSync(image, '');
    truncateSync(image, bytes);
    const device = succeeds('mkfs.exfat', image) ? run('losetup', '--find', '--show', image) : null;
    if (device?.status === 0) {
      disk.#device = device.stdout.trim();
      if (succeeds('mount.exfat-fuse', disk.#device, disk.path)) return disk;
    }
    disk[Symbol.dispose]();
    return null;
  }

  [Symbol.dispose](): void {
    run('umount', '-l', this.path);
    if (this.#device !== '') run('losetup', '--detach', this.#device);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function run(program: string, ...args: readonly string[]) {
  return spawnSync(program, args, { encoding: 'utf8' });
}

function succeeds(program: string, ...args: readonly string[]): boolean {
  return run(program, ...args).status === 0;
}
