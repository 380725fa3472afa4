import { Failure } from '../failure.ts';
import { FaultList } from '../site/fault.ts';
import type { RemotePointer, RemoteSite } from '../site/remote-site.ts';

/** Attempts in all. A site may publish during a check, which then starts again with the new pointer. */
const beginnings = 3;

/** A check of the publication that a pointer names. `found` is null and `failure` says why when it could not finish. */
export type Look<Found> = {
  readonly current: RemotePointer;
  readonly found: Found | null;
  readonly faults: FaultList;
  readonly failure: Failure | null;
};

/**
 * Checks the current publication of a host. When the check finds a fault and the site has published since, it starts
 * again with the new pointer, because an answer that goes missing with its publication is not a fault.
 */
export async function steadyLook<Found>(
  remote: RemoteSite,
  check: (current: RemotePointer, faults: FaultList) => Promise<Found>,
): Promise<Look<Found>> {
  let current = await remote.current();
  for (let beginning = 1; ; beginning += 1) {
    const look = await lookAt(current, check);
    const isSound = look.failure === null && look.faults.total === 0;
    if (isSound || beginning === beginnings) return look;
    const moved = await remote.pointer(current);
    if (moved === null) return look;
    current = moved;
  }
}

async function lookAt<Found>(
  current: RemotePointer,
  check: (current: RemotePointer, faults: FaultList) => Promise<Found>,
): Promise<Look<Found>> {
  const faults = new FaultList();
  try {
    return { current, found: await check(current, faults), faults, failure: null };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { current, found: null, faults, failure: error };
  }
}
