import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { checkoutFolder, siteLink } from '../../contract/paths.ts';
import { openForChange } from '../database/database-file.ts';
import type { Publication } from '../database/publications.ts';
import { unpublishLast } from '../database/unpublish.ts';
import { Failure } from '../files/failure.ts';
import { acquireLock, buildLock } from '../files/file-lock.ts';
import { readPointer } from '../site/built-site.ts';
import { requireSite } from '../site/foreign-folder.ts';
import { Storage } from '../site/storage.ts';
import { type Output, withExample } from '../terminal/output.ts';
import { publicationText } from '../terminal/texts.ts';
import { requireOption } from './options.ts';

type Options = { db: string; out?: string };

/** Takes back the last publication, which no reader may have seen yet. */
export function defineUnpublish(command: Command, output: Output): void {
  requireOption(command, '--db <file>', 'publication database', 'publication.sqlite');
  command
    .option('--out <site>', 'folder of the site: refuse if it already has the publication')
    .option('--json', 'print the result as one JSON object', false)
    .action(({ db, out }: Options) => {
      output.progress(`taking back the last publication of ${db}`);
      // The folder in the settings may not exist yet: the first build makes it.
      const isBuilt = out !== undefined && (existsSync(out) || command.getOptionValueSource('out') === 'cli');
      const lock = isBuilt ? lockSite(out) : null;
      const connection = openForChange(db);
      try {
        const result = unpublishLast(connection, (last) => isBuilt && refuseSeen(last, out));
        if (result === null) throw new Failure('database_missing', `${db} has no publication to take back`);
        const { removed, latest } = result;
        const { sequence, revision, published_at } = removed;
        output.result({ sequence, revision, published_at, latest: latest && identity(latest) }, [
          `took back ${publicationText(removed)}`,
          latest ? `${db} is at ${publicationText(latest)}` : `it was the only one, so ${db} was deleted`,
        ]);
      } finally {
        connection.close();
        lock?.release();
      }
    });
  withExample(command, 'shelfpress unpublish --db publication.sqlite --out dist');
}

function identity({ sequence, revision, published_at }: Publication) {
  return { sequence, revision, published_at };
}

/** Locks the site, because a running build could publish what is being taken back. */
function lockSite(out: string): { release: () => void } {
  requireSite(out);
  const lock = acquireLock(`${out}/${buildLock}`);
  if (lock === null) throw new Failure('busy', `a build is running in ${out}: wait until it ends`);
  return lock;
}

/** Readers keep what they have read, so a publication on a site must be corrected, not taken back. */
function refuseSeen({ sequence, revision }: Publication, out: string): void {
  const storage = new Storage(out);
  const isListed = readPointer(storage)?.publications.some((one) => one.revision === revision);
  // A build that was killed between its last two steps has moved only the link, which plain servers follow.
  if (!isListed && storage.pointsTo(siteLink) !== checkoutFolder(revision)) return;
  throw new Failure(
    'correction',
    `${out} has publication ${sequence}, which readers may have seen; publish a correct snapshot with --corrects ${revision} instead`,
  );
}
