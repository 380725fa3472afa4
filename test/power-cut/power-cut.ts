import { hash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { runInProcess } from '../support/command-in-process.ts';
import { seededRandom } from '../support/random.ts';
import { DiskModel, type DiskState } from './disk-model.ts';
import { digestState, readState, restore } from './disk-state.ts';
import { type SystemCall, tracedCommand } from './system-calls.ts';

export type Scenario = {
  /** The command line. */
  readonly args: readonly string[];
  /** The folder that it works in. */
  readonly folder: string;
  /** Makes the initial content of the folder. */
  readonly prepare?: () => void | Promise<void>;
  /** The part of a result that counts, as text or values that can be compared. */
  readonly result: (folder: string) => unknown;
  /** What counts in addition after the end of the command, when nothing is run again. */
  readonly resultAtEnd?: (folder: string) => unknown;
  /** Checks what a power failure left, before anything is run again. */
  readonly sound?: (folder: string) => void | Promise<void>;
  /** A message of the command that says that everything was done. */
  readonly done?: RegExp;
  /** Whether a second run of the command does something else. Then it is not run again after a finished run. */
  readonly isOnce?: boolean;
  /** How many states are tried at most. */
  readonly most: number;
};

/** What a command left on the disk at a power failure, and how many of its changes it had made then. */
type Left = { readonly state: DiskState; readonly calls: number; readonly isEnd: boolean };

/**
 * Records the system calls of a command, and simulates a power failure after each: nothing, everything, or a part of
 * what was not synced survives. Each time the command is run again, and the result has to be that of an undisturbed
 * run. After the end of the command it has to be that without another run. Returns the number of different states that
 * were tried.
 */
export async function cutPower({
  args,
  folder,
  prepare,
  result,
  resultAtEnd = result,
  sound,
  done,
  isOnce = false,
  most,
}: Scenario): Promise<number> {
  mkdirSync(folder, { recursive: true });
  await prepare?.();
  const before = readState(folder);
  const calls = await tracedCommand(args, folder);
  const expected = result(folder);
  const expectedAtEnd = resultAtEnd(folder);
  const end = digestState(readState(folder));
  const random = seededRandom(20_260_301);
  const points = momentsIn(calls, new DiskModel(folder, before), most, random);
  const model = new DiskModel(folder, before);
  const left = new Map<string, Left>();
  const note = (state: DiskState, count: number, isEnd: boolean) => {
    const key = hash('sha256', JSON.stringify([isEnd, ...digestState(state)]));
    if (!left.has(key)) left.set(key, { state, calls: count, isEnd });
  };
  const lucks = [() => false, () => true, () => random() < 0.5, () => random() < 0.8];
  for (const [index, call] of calls.entries()) {
    model.apply(call);
    if (points.has(index)) for (const luck of lucks) note(model.after(luck), index + 1, false);
  }
  // What was recorded is what happened.
  expect(digestState(model.after(() => true))).toEqual(end);
  for (const luck of lucks) note(model.after(luck), calls.length, true);
  const tried = chosen([...left.values()], most, random);
  for (const { state, calls: count, isEnd } of tried) {
    const place = `${args[0]}, after call ${count} of ${calls.length}`;
    restore(folder, state);
    if (isEnd) expect(resultAtEnd(folder), `${place}, which said that it was done`).toEqual(expectedAtEnd);
    await sound?.(folder);
    if (isOnce && isDeepStrictEqual(result(folder), expected)) continue;
    const { code, stderr } = await runInProcess(...args);
    if (!(code === 1 && done?.test(stderr))) expect([code, stderr], place).toEqual([0, expect.anything()]);
    expect(result(folder), place).toEqual(expected);
  }
  return tried.length;
}

/**
 * Calls after which the power fails: those before and after something is synced, and others, up to the wanted number.
 */
function momentsIn(
  calls: readonly SystemCall[],
  model: DiskModel,
  wanted: number,
  random: () => number,
): ReadonlySet<number> {
  const kinds = calls.map((call) => model.apply(call));
  const changes = [...kinds.keys()].filter((index) => kinds[index] !== 'none');
  const besideSyncs = changes.filter((index, at) => kinds[index] === 'sync' || kinds[changes[at + 1] ?? -1] === 'sync');
  const others = changes.filter((index) => kinds[index] !== 'sync');
  return new Set([...some(besideSyncs, Math.ceil(wanted / 2), random), ...some(others, Math.ceil(wanted / 2), random)]);
}

function some<Item>(items: readonly Item[], most: number, random: () => number): Item[] {
  const left = [...items];
  while (left.length > most) left.splice(Math.floor(random() * left.length), 1);
  return left;
}

/** Some states, and all of the end. */
function chosen(all: readonly Left[], most: number, random: () => number): Left[] {
  const others = all.filter(({ isEnd }) => !isEnd);
  return [...some(others, most, random), ...all.filter(({ isEnd }) => isEnd)];
}
