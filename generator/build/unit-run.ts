import { setImmediate as otherWork } from 'node:timers/promises';
import type { LedgerEntry, Route } from '../contract/formats/site.ts';
import { datedRoute, type PendingRoute } from '../encode/representation.ts';
import { Failure } from '../failure.ts';
import { catalogOf } from '../model/catalog.ts';
import type { Routes } from '../site/route-table.ts';
import type { DocumentWriter, Made } from './document-writer.ts';
import { digest } from './entity-units.ts';
import { type BuildContext, type PreviousUnits, reasonToMake, routesOfUnit } from './ledger.ts';
import { kinds, stages } from './units.ts';
import type { Task, WorkerPool } from './worker-pool.ts';

export type Progress = (stage: string, done: number, of: number) => void;

type RunOptions = Pick<BuildContext, 'exported' | 'explorer'> & {
  readonly before: Routes;
  readonly previousUnits: PreviousUnits;
};

/** The units of a build: finds them stage by stage, keeps those that need not be made, and makes the others. */
export class UnitRun {
  /** The routes that units made or kept. */
  readonly routes = new Map<string, Route>();
  /** What the ledger says of the units. */
  readonly units: Record<string, LedgerEntry> = {};
  /** The answers that were made, also those that gave way to the existing one of an immutable address. */
  readonly made: PendingRoute[] = [];
  readonly totals = { written: 0, bytes: 0, addresses: 0 };
  readonly #writer: DocumentWriter;
  readonly #pool: WorkerPool;
  readonly #before: Routes;
  readonly #previousUnits: PreviousUnits;
  readonly #context: BuildContext;

  constructor(writer: DocumentWriter, pool: WorkerPool, { before, previousUnits, exported, explorer }: RunOptions) {
    this.#writer = writer;
    this.#pool = pool;
    this.#before = before;
    this.#previousUnits = previousUnits;
    const fileOf = (path: string) => {
      const route = this.routes.get(path);
      if (!route) throw new Error(`no file ${path} was made`);
      return { sha256: route.sha256, size: route.size, etag: route.etag };
    };
    const inputsOf = (unit: string) => digest(this.units[unit]?.inputs);
    this.#context = { writer, catalog: catalogOf(writer.state), exported, explorer, inputsOf, fileOf };
  }

  async make(stage: string, progress: Progress): Promise<void> {
    const tasks = Object.keys(stages[stage] ?? {}).flatMap((kind) => this.#plan(kind));
    const weight = tasks.reduce((sum, { unit }) => sum + unit.weight, 0);
    let done = 0;
    progress(stage, done, weight);
    const settle = (task: Task, made: Made) => {
      this.#settle(task.unit.name, made);
      done += task.unit.weight;
      progress(stage, done, weight);
    };
    const [here, shared] = [tasks.filter(isOwn), tasks.filter((task) => !isOwn(task))];
    const makeOwn = async () => {
      for (const task of here) {
        const made = this.#writer.record(task.previous, () => kinds[task.kind]?.makeOwn?.(this.#context));
        settle(task, made);
        await otherWork();
      }
    };
    await this.#pool.run(this.#writer, shared, makeOwn, settle);
  }

  /** The units of a kind that have to be made. The others keep their routes. */
  #plan(kind: string): Task[] {
    return [...(kinds[kind]?.units(this.#context) ?? [])].flatMap((unit) => {
      const { name, inputs } = unit;
      if (this.units[name]) throw new Failure(`two units have the name ${name}`);
      const why = reasonToMake(this.#previousUnits, this.#before, name, inputs);
      const entry = this.#previousUnits?.[name];
      const { sequence } = this.#writer.state.publication;
      const last = why === null && entry ? entry : { made: sequence, why: why ?? '' };
      this.units[name] = { inputs, paths: [], made: last.made, why: last.why };
      const previous = routesOfUnit(this.#previousUnits, this.#before, name);
      if (why !== null) return [{ unit, kind, previous }];
      this.#claim(name, previous);
      return [];
    });
  }

  /** Takes what a unit made and kept. */
  #settle(name: string, { routes, kept, ...totals }: Made): void {
    const now = `${this.#writer.state.publication.published_at.slice(0, 19)}Z`;
    const keptRoutes = kept.flatMap((path) => this.#before.get(path) ?? []);
    this.#claim(name, [...keptRoutes, ...routes.map((route) => datedRoute(route, this.#before.get(route.path), now))]);
    for (const route of routes) this.made.push(route);
    this.totals.written += totals.written;
    this.totals.bytes += totals.bytes;
    this.totals.addresses += totals.addresses;
  }

  #claim(name: string, routes: readonly Route[]): void {
    const paths = this.units[name]?.paths;
    for (const route of routes) {
      if (this.routes.has(route.path)) throw new Failure(`two documents claim the address ${route.path}`);
      this.routes.set(route.path, route);
      paths?.push(route.path);
    }
  }
}

function isOwn({ kind }: Task): boolean {
  return kinds[kind]?.makeOwn !== undefined;
}
