import { Failure } from '../../files/failure.ts';
import type { Guard, GuardFacts } from './guard-rules.ts';
import { inventoryGuards } from './inventory-guards.ts';
import { productGuards } from './product-guards.ts';
import { snapshotGuards } from './snapshot-guards.ts';
import { storeGuards } from './store-guards.ts';

/** A row has name, example, measure, largest share that passes, fewest moves, and largest share seen. */
export const guards = [
  ...productGuards,
  ...storeGuards,
  ...inventoryGuards,
  ...snapshotGuards,
] as const satisfies readonly Guard[];

export type GuardName = (typeof guards)[number]['name'];

export const guardNames: readonly GuardName[] = guards.map(({ name }) => name);

export type TrippedGuard = { readonly guard: GuardName; readonly option: string; readonly message: string };

export function trippedGuards(facts: GuardFacts): TrippedGuard[] {
  return guards.flatMap((guard: Guard & { readonly name: GuardName }) => {
    const message = guard.trips(facts, guard.name);
    return message === null ? [] : [{ guard: guard.name, option: acceptingOption(guard), message }];
  });
}

export function acceptingOption({ name, flag }: Pick<Guard, 'name' | 'flag'>): string {
  return flag ?? `--accept ${name}`;
}

export function stoppedByGuards(snapshot: string, tripped: readonly TrippedGuard[]): Failure {
  const found = tripped.map(({ message, option }) => {
    return `snapshot ${snapshot} ${message}; ${option} publishes it anyway`;
  });
  const facts = { snapshot, guards: tripped };
  if (found.length === 1) return new Failure('stopped_by_guard', found.join(), { facts });
  const lines = [...found, `snapshot ${snapshot} was not published: ${found.length} guards stop it`];
  return new Failure('stopped_by_guard', `${found[0]} (and ${found.length - 1} more)`, { lines, facts });
}
