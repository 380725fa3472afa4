import { secondText } from '../../contract/instant.ts';
import { pointerFile, signatureFile } from '../../contract/paths.ts';
import type { Publication } from '../database/publications.ts';
import { Failure } from '../files/failure.ts';
import type { Storage } from '../site/storage.ts';
import { followsKey, type Signing, signerOf } from '../trust/signature-file.ts';

/**
 * How far a publication may be dated ahead of the clock: agencies name files by the day, and we take that to mean noon.
 */
const aheadMs = 24 * 3_600_000;

/** File systems and clocks may differ by this much. */
const toleranceMs = 5 * 60_000;

/**
 * Throws a Failure if the site is signed and there is no key, or if readers of the last signature would refuse the
 * key: it is neither the key of that signature nor one that `keygen --rotate` made from it. `folder`: as messages name
 * it.
 */
export function refuseOtherKey(storage: Storage, folder: string, signing: Signing | null): void {
  const existing = storage.read(signatureFile);
  if (existing === null) return;
  if (signing === null) {
    throw new Failure(
      'signature',
      `${folder} is signed: expected a key to sign with (--sign), got none; delete ${signatureFile} to make it an unsigned site`,
    );
  }
  const before = signerOf(storage.read(pointerFile), existing);
  if (before === null || followsKey(signing.key, before)) return;
  throw new Failure(
    'signature',
    `${folder} is signed by key ${before}: expected that key, or one that follows it, got ${signing.key.fingerprint}; keygen NEW --rotate OLD makes one that readers of the old key accept. Without the old key, delete ${signatureFile} to start a new chain, which they refuse`,
  );
}

/**
 * Throws a Failure when a signature would expire too early, because the clock is behind the publication, or behind the
 * last signature. Builds whose signatures do not expire never look at the clock.
 */
export function refuseEarlyClock(
  storage: Storage,
  { published_at }: Pick<Publication, 'published_at'>,
  signing: Signing | null,
): void {
  const { clock = null, expires = null } = signing ?? {};
  if (clock === null || expires === null) return;
  const time = (ms: number) => `${secondText(ms)}Z`;
  const lastSigned = storage.timeOf(signatureFile);
  const earliest = [
    { what: `a day before the publication of ${published_at}`, ms: Date.parse(published_at) - aheadMs },
    ...(lastSigned === null ? [] : [{ what: 'the last signature', ms: lastSigned - toleranceMs }]),
  ].find(({ ms }) => clock < ms);
  if (earliest === undefined) return;
  throw new Failure(
    'signature',
    `the clock says ${time(clock)}: expected a time after ${time(earliest.ms)}, ${earliest.what}, because the signature would expire at ${expires}; set the clock, or pass --any-clock to build`,
  );
}
