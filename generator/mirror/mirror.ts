import { resolve } from 'node:path';
import type { Pointer } from '../contract/formats/site.ts';
import type { MirrorHolding } from '../contract/formats/site-records.ts';
import { Failure, systemReason } from '../failure.ts';
import { type ClientOptions, HttpClient } from '../remote/http-client.ts';
import { siteRoot } from '../remote/site-url.ts';
import { FolderStorage } from '../site/folder-storage.ts';
import type { SigningKey } from '../site/keys.ts';
import { acquireLock } from '../site/lock.ts';
import { RemoteSite } from '../site/remote-site.ts';
import { selectionPatterns } from '../site/route-selection.ts';
import type { Transfer } from './download.ts';
import { MirrorRun } from './mirror-run.ts';

export type MirrorOptions = ClientOptions & {
  readonly url: string;
  readonly directory: string;
  /** What to hold, as the command takes it; null: everything. */
  readonly only: readonly string[] | null;
  /** Whose signature the pointer must have; null: anybody's, or none. */
  readonly key: SigningKey | null;
  /** Take an older publication or another site, and check everything that stands. */
  readonly force: boolean;
  /** What all objects may take together. */
  readonly maxBytes?: number | undefined;
};

/** `changed` false: nothing was new, and what stands was not looked at. `requests`: all that were sent. */
export type MirrorSummary = Transfer & {
  readonly pointer: Pointer;
  readonly holding: MirrorHolding;
  readonly changed: boolean;
  readonly deleted: number;
  readonly requests: number;
};

export type MirrorProgress = (stage: string, done: number, of: number) => void;

/**
 * Brings a folder to the publication that a site's pointer names. Killed at any moment it leaves the one before whole, or
 * the new one; what it had downloaded need not come again. Throws a Failure when another run is at work there, when the
 * site cannot be read or is not what its hashes, its signature or the folder's own past say.
 */
export async function mirrorSite(options: MirrorOptions, progress: MirrorProgress): Promise<MirrorSummary> {
  const root = siteRoot(options.url);
  const directory = resolve(options.directory);
  const lock = acquireLock(`${directory}/build.lock`);
  if (!lock) throw new Failure(`another build or mirror is at work in ${options.directory}: wait until it ends`);
  const client = new HttpClient(options);
  try {
    const remote = new RemoteSite(root, client, options.key);
    const only = options.only && selectionPatterns(options.only);
    const run = new MirrorRun({ ...options, directory, only }, remote, new FolderStorage(directory), progress);
    return { ...(await run.toCurrent()), requests: client.requests };
  } catch (error) {
    throw explainRefusal(error, options.directory);
  } finally {
    client.stop();
    lock.release();
  }
}

/** What the system refused in the folder of a mirror, in a line; any other error as it is. */
export function explainRefusal(error: unknown, directory: string): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return error;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new Failure(
      `${directory}: expected room for more, got ${systemReason(code)}; what has come is kept for the next run`,
    );
  }
  return new Failure(
    `${resolve(directory, path ?? '')}: expected what a mirror can read and write, got ${systemReason(code)}`,
  );
}
