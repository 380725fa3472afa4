import type { Pointer } from '../contract/formats/site.ts';
import { Failure } from '../failure.ts';

/** A pointer and the site it came from. */
type Holder = { readonly pointer: Pointer; readonly source: string };

/**
 * Throws a Failure when a pointer must not replace the existing one, because it is older or of another site. Two
 * pointers are of one site when every publication that both list has the same revision in both. When they share none,
 * they are of one site if they come from the same address.
 */
export function refuseOlderOrForeign(existing: Holder, next: Holder): void {
  const { pointer: before, source } = existing;
  const { pointer: after } = next;
  const revisions = new Map(before.publications.map(({ sequence, revision }) => [sequence, revision]));
  let shared = 0;
  for (const { sequence, revision } of after.publications) {
    const known = revisions.get(sequence);
    if (known === undefined) continue;
    if (known !== revision) {
      refuse(
        `${next.source}: expected the site that is there already, whose publication ${sequence} is ${known}, got ${revision}`,
      );
    }
    shared += 1;
  }
  if (shared === 0 && source !== next.source) {
    refuse(`${next.source}: expected the site of ${source}, got one that shares no publication with it`);
  }
  if (after.sequence < before.sequence) {
    refuse(
      `${next.source}: expected publication ${before.sequence} or a later one, got the older publication ${after.sequence}`,
    );
  }
}

function refuse(message: string): never {
  throw new Failure(`${message}; --force takes it`);
}
