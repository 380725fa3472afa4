import {
  type Checkpoint,
  checkpointFault,
  type ListedPointers,
  type Remembered,
  remembered,
} from '../../contract/schemas/checkpoint.ts';
import { webHash } from '../../contract/site/source.ts';
import { parseJson } from '../../contract/text.ts';

/**
 * A place where the caller keeps a short text: the newest checkpoint that the client trusted. Without it, the client
 * notices a signature that has expired, but neither a rollback nor a fork.
 */
export type SiteMemory = {
  readonly read: () => string | null | Promise<string | null>;
  readonly write: (text: string) => void | Promise<void>;
};

/** Compares the signed checkpoint with the remembered one, and remembers it. Throws an error that says why not. */
export async function remember(
  memory: SiteMemory,
  { checkpoint, listed }: { readonly checkpoint: Checkpoint; readonly listed: ListedPointers | null },
): Promise<void> {
  const before = await readMemory(memory);
  const hash = (text: string) => webHash(new TextEncoder().encode(text));
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  const fault = await checkpointFault(checkpoint, listed, before, { hash, now });
  if (fault !== null) throw new Error(`${fault.kind}: expected ${fault.expected}, got ${fault.got}`);
  const { origin, number, chain } = checkpoint;
  if (before?.number !== number) await memory.write(JSON.stringify({ origin, number, chain }));
}

async function readMemory(memory: SiteMemory): Promise<Remembered | null> {
  const text = await memory.read();
  if (text === null) return null;
  const parsed = remembered.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new Error(`the memory of the site: expected what the client wrote there, got ${text.slice(0, 80)}`);
}

/** Lasts until the program ends, for callers without a memory. */
export function temporaryMemory(): SiteMemory {
  let kept: string | null = null;
  return {
    read: () => kept,
    write: (text) => {
      kept = text;
    },
  };
}
