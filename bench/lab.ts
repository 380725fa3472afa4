import { copyFileSync } from 'node:fs';
import { type Run, run } from './measure.ts';
import type { Program } from './program.ts';
import type { Workspace } from './workspace.ts';

export type Exports = 'current' | 'retained';

/** Publications that a site keeps, besides the previous one at the first measured build. */
const keptBefore = 3;

/** The counts of `build --json` that the figures need. */
export type BuildCounts = {
  readonly resources: number;
  readonly written: number;
  readonly reused: number;
  /** Bytes of the objects written. */
  readonly bytes: number;
};

/** Runs the measured programs in a workspace, on one series of snapshots. */
export class Lab {
  readonly program: Program;
  readonly workspace: Workspace;
  readonly snapshots: readonly string[];
  readonly repetitions: number;
  readonly say: (text: string) => void;
  #databases: Promise<readonly string[]> | null = null;

  constructor(
    program: Program,
    workspace: Workspace,
    snapshots: readonly string[],
    repetitions: number,
    say: (text: string) => void,
  ) {
    this.program = program;
    this.workspace = workspace;
    this.snapshots = snapshots;
    this.repetitions = repetitions;
    this.say = say;
  }

  run(command: readonly string[]): Promise<Run> {
    return run(command, this.workspace.path('peak'));
  }

  /** Runs the project's own command. */
  shelfpress(...args: readonly string[]): Promise<Run> {
    return this.run(this.program.shelfpress(...args));
  }

  publish(database: string, snapshots: readonly string[]): Promise<Run> {
    return this.shelfpress('publish', ...snapshots, '--db', database);
  }

  async build(database: string, out: string, exports: Exports): Promise<Run & BuildCounts> {
    const done = await this.shelfpress('build', '--db', database, '--out', out, '--exports', exports, '--json');
    const { resources, written, reused, bytes } = JSON.parse(done.output) as BuildCounts;
    return { ...done, resources, written, reused, bytes };
  }

  /**
   * Databases of the last publications, oldest first: as many as requested, or as there are publications. Each
   * continues the previous one. They are published once, at the first call.
   */
  async databases(count = this.repetitions + 1): Promise<readonly string[]> {
    return (await this.#all()).slice(-count);
  }

  /** Databases of the publications before those. A site built from them has something past retention to delete. */
  async earlierDatabases(): Promise<readonly string[]> {
    return (await this.#all()).slice(0, -this.repetitions - 1);
  }

  #all(): Promise<readonly string[]> {
    this.#databases ??= this.#publishLast();
    return this.#databases;
  }

  async #publishLast(): Promise<string[]> {
    const { snapshots } = this;
    const first = Math.max(1, snapshots.length - this.repetitions - keptBefore);
    this.say(`publishing ${snapshots.length} snapshots`);
    const databases = [this.workspace.path('publication.sqlite')];
    await this.publish(databases[0] as string, snapshots.slice(0, first));
    for (const snapshot of snapshots.slice(first)) {
      const next = this.workspace.path('publication.sqlite');
      copyFileSync(databases[databases.length - 1] as string, next);
      await this.publish(next, [snapshot]);
      databases.push(next);
    }
    return databases;
  }
}
