import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../project/repository.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

type Manifest = { readonly version: string; readonly dependencies: Readonly<Record<string, string>> };

/**
 * The file that `npm pack` makes, unpacked in an empty folder. The packages that package.json names as dependencies are
 * linked from the clone, and no other, so that the package fails when it needs one that it does not name. `npm install`
 * would compile SQLite for a minute, and needs a network.
 */
export class InstalledPackage {
  readonly folder = temporaryFolder();
  readonly at = join(this.folder, 'node_modules', 'shelfpress');
  readonly manifest: Manifest;

  constructor() {
    const packed = spawnSync('npm', ['pack', '--pack-destination', this.folder], { cwd: root, encoding: 'utf8' });
    if (packed.status !== 0) throw new Error(`npm pack failed: ${packed.stderr}`);
    const archive = readdirSync(this.folder).find((name) => name.endsWith('.tgz')) ?? '';
    mkdirSync(join(this.folder, 'node_modules', '.bin'), { recursive: true });
    const unpacked = spawnSync('tar', ['xzf', archive], { cwd: this.folder });
    if (unpacked.status !== 0) throw new Error(`${archive} cannot be unpacked`);
    renameSync(join(this.folder, 'package'), this.at);
    this.manifest = JSON.parse(readFileSync(join(this.at, 'package.json'), 'utf8'));
    for (const name of Object.keys(this.manifest.dependencies)) {
      const place = join(this.folder, 'node_modules', name);
      mkdirSync(dirname(place), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), place);
    }
    symlinkSync('../shelfpress/bin/shelfpress.mjs', join(this.folder, 'node_modules', '.bin', 'shelfpress'));
  }

  /** The files of the package, in order. */
  get files(): string[] {
    const names = readdirSync(this.at, { recursive: true, encoding: 'utf8' }).sort();
    return names.filter((name) => statSync(join(this.at, name)).isFile());
  }

  /** Runs the installed command in the folder. */
  run(...args: readonly string[]) {
    const { status, stdout, stderr } = spawnSync(this.#program, args, { cwd: this.folder, encoding: 'utf8' });
    return { status, stdout, stderr };
  }

  /** Starts the installed command in the folder. */
  start(...args: readonly string[]) {
    return spawn(this.#program, args, {
      cwd: this.folder,
      env: { ...process.env, CURSOR_SECRET: 'a secret of tests' },
    });
  }

  remove(): void {
    removeFolder(this.folder);
  }

  get #program(): string {
    return join(this.folder, 'node_modules', '.bin', 'shelfpress');
  }
}
