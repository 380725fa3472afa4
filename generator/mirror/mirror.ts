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
  /** The patterns of `--only`; null: everything. */
  readonly only: readonly string[] | null;
  /** The key whose signature the pointer must have; null: any signature, or none. */
  readonly key: SigningKey | null;
  /** Take an older publication or another site, and check everything that is there. */
  readonly force: boolean;
  /** The most bytes that all objects together may have. */
  readonly maxBytes?: number | undefined;
};

/**
 * `changed` false: nothing was new, and existing files were not checked. `requests`: the number of requests sent,
 * repeated ones too.
 */
export type MirrorSummary = Transfer & {
  readonly pointer: Pointer;
  readonly holding: MirrorHolding;
  readonly changed: boolean;
  readonly deleted: number;
  readonly requests: number;
};

export type MirrorProgress = (stage: string, done: number, of: number) => void;

/**
 * Updates a folder to the publication that a site's pointer names. A run that is killed at any moment leaves either the
 * previous publication or the new one whole, and the next run reuses what was downloaded. Throws a Failure when another
 * run is at work in the folder, when the site cannot be read, or when it does not fit its hashes, its signature or what
 * the folder held before.
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

/**
 * Turns an error of the operating system in a mirror's folder into a Failure of one line. Returns any other error as it
 * is.
 */
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
