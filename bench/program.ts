import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** The files and folders of a clone that compiling reads, besides the clone's packages. */
const compiled = [
  ...['bin', 'client', 'contract', 'explorer', 'generator', 'packaging', 'shim', 'templates'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.package.json'],
];
/** Where the program that compiles a clone is, in this clone and in earlier ones. */
const compilers = ['bin/package/compile.ts', 'packaging/compile.ts'];

/** The program of a clone as operators run it: compiled as `npm pack` does, in a folder of its own. */
export class Program {
  /** The clone. */
  readonly tree: string;
  /** The compiled program. */
  readonly folder: string;

  /** `folder` does not exist yet. Throws an error if the tree is not a clone with its packages. */
  constructor(tree: string, folder: string) {
    for (const part of ['bin/shelfpress.mjs', 'node_modules']) {
      if (!existsSync(join(tree, part))) throw new Error(`expected a clone of the project in ${tree}, got no ${part}`);
    }
    this.tree = tree;
    this.folder = folder;
    mkdirSync(folder);
    for (const name of compiled.filter((name) => existsSync(join(tree, name)))) {
      cpSync(join(tree, name), join(folder, name), { recursive: true });
    }
    symlinkSync(join(tree, 'node_modules'), join(folder, 'node_modules'));
    const compiler = compilers.filter((file) => existsSync(join(folder, file)));
    const { status, stdout, stderr } = spawnSync(process.execPath, compiler, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${tree} cannot be compiled: ${stdout}${stderr}`);
    // If this TypeScript stayed, the command would run it, as it does in a clone.
    rmSync(join(folder, 'generator'), { recursive: true });
  }

  /** The command line of one of the project's commands. */
  shelfpress(...args: readonly string[]): string[] {
    return [process.execPath, join(this.folder, 'bin/shelfpress.mjs'), ...args];
  }
}
