import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { secondText } from '../../contract/instant.ts';
import { checkpointFault, type Remembered, remembered } from '../../contract/schemas/checkpoint.ts';
import type { Pointer } from '../../contract/schemas/site-files.ts';
import type { Signed } from '../../contract/site/signature.ts';
import { parseJson } from '../../contract/text.ts';
import { replaceFile } from '../files/durable-files.ts';
import { Failure } from '../files/failure.ts';
import { readRegularFile } from '../files/regular-file.ts';

/**
 * Throws a Failure if the signed checkpoint of a site has expired, or does not continue the remembered one. `place`:
 * the public root of the site. `now`: milliseconds since 1970.
 */
export async function refuseBadCheckpoint(
  place: string,
  { checkpoint, listed }: Signed,
  before: Remembered | null,
  now: number,
): Promise<void> {
  const sha256 = (text: string) => hash('sha256', text);
  const fault = await checkpointFault(checkpoint, listed, before, { hash: sha256, now: `${secondText(now)}Z` });
  if (fault !== null)
    throw new Failure('signature', `${place}: ${fault.kind}: expected ${fault.expected}, got ${fault.got}`);
}

/** Like {@link refuseBadCheckpoint}, with the checkpoint that a file remembers. Then remembers the new one there. */
export async function continueFrom(file: string, place: string, signed: Signed, now: number): Promise<void> {
  const before = readRemembered(file);
  await refuseBadCheckpoint(place, signed, before, now);
  if (before?.number !== signed.checkpoint.number) saveRemembered(file, signed);
}

/** The checkpoint that a file remembers; null if the file does not exist yet. */
export function readRemembered(file: string): Remembered | null {
  if (!existsSync(file)) return null;
  const text = readRegularFile(file, 'a checkpoint that was seen', 4096).toString();
  const parsed = remembered.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new Failure(
    'signature',
    `${file}: expected a checkpoint that was seen, got ${JSON.stringify(text.slice(0, 80))}`,
  );
}

export function saveRemembered(file: string, { checkpoint: { origin, number, chain } }: Signed): void {
  replaceFile(file, (append) => append(`${JSON.stringify({ origin, number, chain })}\n`));
}

type Holder = { readonly pointer: Pointer; readonly source: string };

/**
 * Throws a Failure if the next pointer is older or belongs to another site. Pointers belong to one site if every
 * publication that both list has the same revision in both. If they share none, they must come from the same address.
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
  throw new Failure('would_lose', `${message}; pass --force to accept it`);
}
