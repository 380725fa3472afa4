import { setImmediate as otherWork } from 'node:timers/promises';
import type { Route } from '../../contract/schemas/site-files.ts';
import { readCatalog } from '../documents/catalog.ts';
import { Failure } from '../files/failure.ts';
import { type Routes, textSharer } from '../site/route-table.ts';
import { datedRoute } from '../tables/representation.ts';
import type { DocumentWriter, Made } from './document-writer.ts';
import { type BuildContext, type Contents, digest, kindsIn, type stageNames } from './kind.ts';
import { type PreviousUnits, reasonToMake, routesOfUnit } from './ledger.ts';
import type { LedgerEntry } from './ledger-file.ts';
import type { Task, WorkerPool } from './worker-pool.ts';

export type Progress = (stage: string, done: number, of: number) => void;

type RunOptions = Pick<BuildContext, 'exported' | 'explorer'> & {
  readonly contents: Contents;
  readonly before: Routes;
  readonly previousUnits: PreviousUnits;
  /** The routes that a site had before it is built again from scratch. Null if its route table is damaged. */
  readonly sent: Routes | null;
};

/** Lists the units of a build stage by stage, keeps the ones that need not be made, and makes the others. */
export function unitRun(
  writer: DocumentWriter,
  pool: WorkerPool,
  { contents, before, previousUnits, sent, ...options }: RunOptions,
) {
  const { sequence, published_at } = writer.state.publication;
  const now = second(published_at);
  const isSecondShared = sequence > 1 && second(writer.state.publicationAt(sequence - 1).published_at) === now;
  const isNowShared = ({ path, sha256 }: { readonly path: string; readonly sha256: string }) => {
    const old = sent?.get(path);
    const isOther = old !== undefined && (old.sha256 !== sha256 || old.is_date_shared === true);
    return isSecondShared || sent === null || isOther;
  };
  /** The routes that units have made or kept. */
  const routes = new Map<string, Route>();
  /** The entries of the next ledger. */
  const units: Record<string, LedgerEntry> = {};
  const totals = { written: 0, bytes: 0, addresses: 0 };
  const share = textSharer();
  const fileAt = (path: string) => {
    const route = routes.get(path);
    if (!route) throw new Error(`no file ${path} was made`);
    return { sha256: route.sha256, size: route.size, etag: route.etag };
  };
  const unitInputs = (unit: string) => digest(units[unit]?.inputs);
  const { stages } = contents;
  const kinds = kindsIn(stages);
  const context: BuildContext = {
    writer,
    catalog: readCatalog(writer.state),
    ...options,
    inputsBefore: (unit) => (previousUnits?.isOfThisCode ? previousUnits.entries[unit]?.inputs : undefined),
    unitInputs,
    fileAt,
    headElements: () => contents.headElements(context),
  };
  const isOwn = ({ kind }: Task) => kinds[kind]?.makeOwn !== undefined;

  const claim = (name: string, claimed: readonly Route[]) => {
    for (const route of claimed) {
      if (routes.has(route.path)) throw new Failure('program', `two documents claim the address ${route.path}`);
      routes.set(route.path, route);
      units[name]?.paths.push(route.path);
    }
  };

  /** Lists the units of a kind that have to be made. The others keep their routes. */
  const plan = (kind: string): Task[] =>
    [...(kinds[kind]?.units(context) ?? [])].flatMap((unit) => {
      const { name, inputs } = unit;
      if (units[name]) throw new Failure('program', `two units have the name ${name}`);
      const why = reasonToMake(previousUnits, before, name, inputs);
      const entry = previousUnits?.entries[name];
      const last = why === null && entry ? entry : { made: sequence, why: why ?? '' };
      units[name] = { inputs, paths: [], made: last.made, why: last.why };
      const previous = routesOfUnit(previousUnits, before, name);
      if (why !== null) return [{ unit, kind, previous }];
      claim(name, previous);
      return [];
    });

  /** Adds the routes that a unit made or kept. */
  const take = (name: string, made: Made) => {
    const kept = made.kept.flatMap((path) => before.get(path) ?? []);
    claim(name, [
      ...kept,
      ...made.routes.map((route) => share(datedRoute(route, before.get(route.path), now, isNowShared(route)))),
    ]);
    totals.written += made.written;
    totals.bytes += made.bytes;
    totals.addresses += made.addresses;
  };

  const makeStage = async (stage: (typeof stageNames)[number], progress: Progress): Promise<void> => {
    const tasks = Object.keys(stages[stage]).flatMap(plan);
    const weight = tasks.reduce((sum, { unit }) => sum + unit.weight, 0);
    let done = 0;
    progress(stage, done, weight);
    const settle = ({ unit }: Task, made: Made) => {
      take(unit.name, made);
      done += unit.weight;
      progress(stage, done, weight);
    };
    const makeOwn = async () => {
      for (const task of tasks.filter(isOwn)) {
        settle(
          task,
          writer.record(task.previous, () => kinds[task.kind]?.makeOwn?.(context)),
        );
        await otherWork();
      }
    };
    const shared = tasks.filter((task) => !isOwn(task));
    await pool.run(writer, shared, makeOwn, settle);
  };
  return { routes, units, totals, makeStage };
}

/** The UTC second of an instant, as Last-Modified has it. */
function second(instant: string): string {
  return `${instant.slice(0, 19)}Z`;
}
