import { type VerifyOptions, verifyContents } from '../verify/verify.ts';
import { buildSite } from './build-site.ts';
import { wings } from './wings.ts';

/**
 * `faults`: the first 1,000 by path; `counts.faults` is the number of all. `routes`, `lists`, `rows` and
 * `export_records` count the current publication, `objects` and `bytes` everything that any route table names.
 * `partial`: null for a site and for a whole mirror. `rebuilt`: what was compared with a site made from the database;
 * null if that was not requested or not possible. `statement`: what another builder can make and sign too; null if it
 * was not requested or is not true. `whyFull`: why everything was checked; null for a partial mirror, and if only what
 * is new since a proof was checked. In the latter case, the counts of `known` addresses, lists and files say what was
 * not checked again. `proof`: for the next verification; null if none was asked for, or if there is a fault.
 */
export type Verification = Awaited<ReturnType<typeof verifySite>>;

/** Verifies a site with the checks of all wings. See {@link verifyContents}. */
export async function verifySite(directory: string, options: VerifyOptions = {}) {
  const checks = await Promise.all(wings.flatMap(({ checks }) => (checks ? [checks()] : [])));
  return verifyContents(directory, checks, buildSite, options);
}
