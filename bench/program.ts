import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { project } from './measure.ts';

/** What compiling reads from a clone, besides its packages. */
const compiled = [
  'bin',
  'client',
  'contract',
  'explorer',
  'generator',
  'packaging',
  'shim',
  'templates',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.package.json',
];

/** The program that compiles a clone, in this one and in earlier ones. */
const compilers = ['bin/package/compile.ts', 'packaging/compile.ts'];

/**
 * The program of a clone as operators run it: compiled once, as `npm pack` does, in its own folder.
 */
export class Program {
  readonly #tree: string;
  readonly #folder: string;
  readonly #scripts: readonly string[];

  /**
   * `folder` does not exist yet. `scripts` are programs of the benchmark to compile as well, so that all start equally
   * fast. Throws an error if the tree is not a clone with its packages.
   */
  constructor(tree: string, folder: string, scripts: readonly URL[] = []) {
    for (const part of ['bin/shelfpress.mjs', 'node_modules']) {
      if (!existsSync(join(tree, part))) throw new Error(`expected a clone of the project in ${tree}, got no ${part}`);
    }
    this.#tree = tree;
    this.#folder = folder;
    this.#scripts = scripts.map((script) => relative(project, fileURLToPath(script)));
  }

  /** The command that runs one of the project's own commands with this Node. */
  shelfpress(...args: readonly string[]): string[] {
    return [process.execPath, this.#compiledFile('bin/shelfpress.mjs'), ...args];
  }

  /** The command that runs one of the benchmark's programs with this Node. */
  script(file: URL, ...args: readonly string[]): string[] {
    const name = relative(project, fileURLToPath(file)).replace(/\.ts$/, '.js');
    return [process.execPath, this.#compiledFile(join('lib', name)), ...args];
  }

  #compiledFile(name: string): string {
    if (!existsSync(this.#folder)) this.#compile();
    return join(this.#folder, name);
  }

  #compile(): void {
    mkdirSync(this.#folder);
    for (const name of [...compiled, ...new Set(this.#scripts.map(dirname))]) {
      if (!existsSync(join(this.#tree, name))) continue;
      cpSync(join(this.#tree, name), join(this.#folder, name), { recursive: true });
    }
    symlinkSync(join(this.#tree, 'node_modules'), join(this.#folder, 'node_modules'));
    const settings = join(this.#folder, 'tsconfig.package.json');
    const { include, ...others } = JSON.parse(readFileSync(settings, 'utf8')) as { readonly include: string[] };
    writeFileSync(settings, JSON.stringify({ ...others, include: [...include, ...this.#scripts] }));
    const compiler = compilers.filter((file) => existsSync(join(this.#folder, file)));
    const { status, stdout, stderr } = spawnSync(process.execPath, compiler, { cwd: this.#folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${this.#tree} cannot be compiled: ${stdout}${stderr}`);
    // The command would run this TypeScript, as in a clone.
    rmSync(join(this.#folder, 'generator'), { recursive: true });
  }
}
