import { epochSeconds } from '../contract/instant.ts';
import type { Connection } from '../database/connection.ts';
import { type Publication, publicationsUpTo } from '../database/publications.ts';
import { TouchedReader, type Window } from '../database/touched.ts';
import { lastBefore, lastExpired } from './retention.ts';

/** `products`: keys. `families`: ids of families, public or not. */
export type Touched = { readonly products: ReadonlySet<number>; readonly families: ReadonlySet<string> };

/**
 * What may differ between the states at two publications, `previous` before `current`, of everything that the documents
 * of one product or family are made of. It may name more, never less. Null: another catalog is in force, so every listed
 * product differs.
 *
 * A product is touched when a publication in between brought a version of it or an attempt to retrieve its inventory,
 * even a failed one, which covers its rows, its older observations and its events; when its former SKUs changed or
 * resolve otherwise; when events, attempts or versions of it passed retention; and when an observation of it passed
 * the maximum age of the policy, with no attempt since. A family is touched with any product that is or was in it, when
 * its own row or its brand's changed, and when events of a member passed `recentSeconds` before the publication.
 *
 * What all products share is not looked at: the stores, the id of the policy, the general warnings and history_days.
 */
export function touchedSince(
  connection: Connection,
  previous: number,
  current: number,
  recentSeconds: number,
): Touched | null {
  const all = publicationsUpTo(connection, current);
  const [before, after] = [stateAt(all, previous), stateAt(all, current)];
  if (before.publication.catalog_publication !== after.publication.catalog_publication) return null;
  const reader = new TouchedReader(connection);
  const run = { after: previous, upTo: current };
  const products = new Set([
    ...reader.written(run),
    ...reader.renamed(run),
    ...reader.written({ after: lastExpired(before), upTo: lastExpired(after) }),
    ...reader.observed(previous, windowBetween(policyBound(before.publication), policyBound(after.publication))),
  ]);
  const noLongerRecent = reader.written({
    after: lastBefore(before, recentSeconds),
    upTo: lastBefore(after, recentSeconds),
  });
  const members = new Set([...products, ...noLongerRecent]);
  return { products, families: new Set([...reader.recurated(run), ...reader.familiesOf(members, run)]) };
}

type StateAt = { readonly publications: readonly Publication[]; readonly publication: Publication };

function stateAt(all: readonly Publication[], sequence: number): StateAt {
  const publication = all[sequence - 1];
  if (publication === undefined) throw new Error(`no publication ${sequence}`);
  return { publications: all.slice(0, sequence), publication };
}

/** Observations that were retrieved before this are too old for the policy of a publication. Seconds since 1970. */
function policyBound({ published_at, policy_max_age_seconds }: Publication): number {
  return epochSeconds(published_at) - policy_max_age_seconds;
}

/** The whole seconds in which instants between two bounds lie. */
function windowBetween(a: number, b: number): Window {
  return { from: textOf(Math.floor(Math.min(a, b))), before: textOf(Math.floor(Math.max(a, b)) + 1) };
}

/** The first and the last second that an instant can be of. Policies may reach further. */
const [firstSecond, lastSecond] = ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z'].map(epochSeconds) as [
  number,
  number,
];

/** A whole second as UTC text without the final Z, so that it sorts before its own fractions. */
function textOf(seconds: number): string {
  const within = Math.min(Math.max(seconds, firstSecond), lastSecond);
  return new Date(within * 1000).toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length);
}
