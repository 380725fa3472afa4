import { statSync } from 'node:fs';
import { integer, pick, seededRandom } from '../../test/support/random.ts';
import { Lab } from '../lab.ts';
import { subjectsFrom } from '../load/load-benchmark.ts';
import { comparison, type Subjects, searching, selection } from '../load/questions.ts';
import { type Running, startService } from '../load/servers.ts';
import type { Taken } from '../measure.ts';
import type { Program } from '../program.ts';
import { writeSeries } from '../synthetic-series.ts';
import { megabytes } from '../table.ts';
import { freeBytes, Workspace } from '../workspace.ts';
import { type AnswerKind, answerKinds } from './answer-kinds.ts';
import { diskBytes, folderFor, type NeededSpace, neededSpace } from './needed-space.ts';
import type { Scale } from './scale-sizes.ts';

/** A step of a day's work. `bytes` is how much it wrote, read or sent; `what` says which. */
export type ScaleStep = Taken & { readonly step: string; readonly what: string; readonly bytes: number };

export type ScaleFigure = NeededSpace & {
  readonly name: string;
  readonly products: number;
  readonly stores: number;
  readonly scopeStores: number;
  readonly publications: number;
  /** Bytes of snapshots, database, site and mirror at the end, as the disk counts them. */
  readonly usedBytes: number;
  readonly steps: readonly ScaleStep[];
  readonly kinds: readonly AnswerKind[];
};

const requests = 300;

/** Takes series of chosen sizes through everything an operator does in a day, each step once. */
export async function scaleBenchmark(
  program: Program,
  scales: readonly Scale[],
  tmp: string | undefined,
  say: (text: string) => void,
): Promise<ScaleFigure[]> {
  const figures: ScaleFigure[] = [];
  for (const scale of scales) {
    const samples = new Workspace(tmp);
    const needed = await neededSpace(program, scale, samples, say);
    samples.remove(samples.folder);
    const folder = folderFor(scale, needed.bytes, tmp);
    say(`${scale.name}: needs ${(needed.bytes / 1e9).toFixed(1)} GB, works in ${folder}`);
    const hasMirror = freeBytes(folder) >= needed.bytes + needed.mirrorBytes;
    if (!hasMirror)
      say(`${scale.name}: no space for a mirror, which needs ${(needed.mirrorBytes / 1e9).toFixed(1)} GB more`);
    const workspace = new Workspace(folder);
    figures.push(await scaleOf(program, scale, needed, hasMirror, workspace, say));
    workspace.remove(workspace.folder);
  }
  return figures;
}

async function scaleOf(
  program: Program,
  { name, size }: Scale,
  needed: NeededSpace,
  hasMirror: boolean,
  workspace: Workspace,
  say: (text: string) => void,
): Promise<ScaleFigure> {
  const folder = workspace.path('snapshots');
  say(`${name}: writing ${size.publications} snapshots`);
  const lab = new Lab(program, workspace, writeSeries(folder, size), 1, say);
  const [database, site, mirror] = [
    workspace.path('publication.sqlite'),
    workspace.path('site'),
    workspace.path('mirror'),
  ];
  const steps: ScaleStep[] = [];
  const add = (step: string, what: string, bytes: number, { seconds, cpuSeconds, peakBytes }: Taken) => {
    steps.push({ step, what, bytes, seconds, cpuSeconds, peakBytes });
    const cpu = cpuSeconds === null ? '' : `, ${cpuSeconds.toFixed(1)} s of CPU`;
    say(
      `${name}: ${step}, ${seconds.toFixed(1)} s${cpu}, peak ${megabytes(peakBytes)} MB, ${megabytes(bytes)} MB ${what}`,
    );
  };

  const first = await lab.publish(database, lab.snapshots.slice(0, -1));
  const size1 = statSync(database).size;
  add(`\`publish\` of ${lab.snapshots.length - 1} snapshots`, 'database', size1, first);
  const full = await lab.build(database, site, 'retained');
  add(`\`build\`, ${count(full.resources)} answers`, 'objects written', full.bytes, full);
  const next = await lab.publish(database, lab.snapshots.slice(-1));
  add('`publish` of one more', 'database, more', statSync(database).size - size1, next);
  const day = await lab.build(database, site, 'retained');
  add(`\`build\` of one more, ${count(day.written)} objects`, 'objects written', day.bytes, day);
  const kinds = answerKinds(site);
  const current = kinds.reduce((sum, { bytes }) => sum + bytes, 0);
  add('`verify`', 'objects read', current, await lab.shelfpress('verify', site));

  const started = performance.now();
  const service = await startService(program, site, workspace.path('service'));
  try {
    add('`serve`, start', 'sent', 0, since(started, service, 0));
    const [before, cpuBefore] = [performance.now(), service.cpuSeconds()];
    const sent = await ask(service.url);
    add(`\`serve\`, ${requests} requests`, 'sent', sent, since(before, service, cpuBefore));
    if (hasMirror) {
      const copied = await lab.shelfpress('mirror', service.url, mirror, '--json');
      const { bytes } = JSON.parse(copied.output) as { readonly bytes: number };
      add('`mirror` of it', 'objects written', bytes, copied);
    }
  } finally {
    await service.stop();
  }
  const used = [folder, database, site, ...(hasMirror ? [mirror] : [])];
  const usedBytes = used.reduce((sum, path) => sum + diskBytes(path), 0);
  workspace.remove(folder, database, site, mirror);
  const { products, stores, scopeStores, publications } = size;
  return { ...needed, name, products, stores, scopeStores, publications, usedBytes, steps, kinds };
}

function since(started: number, service: Running, cpuBefore: number): Taken {
  const seconds = (performance.now() - started) / 1000;
  return { seconds, cpuSeconds: service.cpuSeconds() - cpuBefore, peakBytes: service.peakBytes() };
}

/** Requests documents, availability, comparisons, searches and selections in turn. Returns the bytes of the answers. */
async function ask(url: string): Promise<number> {
  const read = async (path: string): Promise<Buffer> => {
    const answer = await fetch(url + path);
    const body = Buffer.from(await answer.arrayBuffer());
    if (!answer.ok) throw new Error(`${url}${path}: ${answer.status} ${body.toString().slice(0, 300)}`);
    return body;
  };
  const json = async (path: string): Promise<unknown> => JSON.parse((await read(path)).toString());
  const subjects = await subjectsFrom(json);
  const random = seededRandom(20_260_101);
  const productOf = ({ skus }: Subjects) => `/v1/products/by-sku/${pick(random, skus)}`;
  let bytes = 0;
  for (let request = 0; request < requests; request += 1) {
    const kind = integer(random, 0, 4);
    if (kind === 0) {
      const { data } = (await json(productOf(subjects))) as { readonly data: { readonly id: string } };
      bytes += (await read(`/v1/products/${data.id}/availability`)).length;
    } else if (kind === 1) bytes += (await read(productOf(subjects))).length;
    else if (kind === 2) bytes += (await read(comparison(random, subjects))).length;
    else if (kind === 3) bytes += (await read(searching(random, subjects))).length;
    else bytes += (await read(selection(random, subjects))).length;
  }
  return bytes;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
