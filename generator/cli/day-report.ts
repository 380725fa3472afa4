import { countOf } from '../files/failure.ts';
import { publicationText } from '../terminal/texts.ts';
import type { buildAs } from './build.ts';
import type { LeftAlone } from './deliveries.ts';
import type { deployTo } from './deploy.ts';
import type { hostsFor } from './hosts.ts';
import { moveLines, type PublishedFacts, type publishFolder, summaryLines } from './publish.ts';
import type { verifyAs } from './verify.ts';

/** These commands make the site after everything is published. They take their options from the settings. */
export const siteSteps = ['build', 'verify', 'hosts', 'deploy'] as const;

/** `verify` is skipped if a proof says that the site was found sound as it is. */
type StepFacts = {
  readonly build: Awaited<ReturnType<typeof buildAs>>['facts'];
  readonly verify: Awaited<ReturnType<typeof verifyAs>>['facts'] | VerifiedBefore;
  readonly hosts: ReturnType<typeof hostsFor>['facts'];
  readonly deploy: Awaited<ReturnType<typeof deployTo>>['facts'];
};
export type VerifiedBefore = { readonly ok: true; readonly skipped: true; readonly full_at: string };

/** A published delivery. `notices`: what its import and its publication reported. */
type Published = Awaited<ReturnType<typeof publishFolder>> & {
  readonly snapshot: string;
  readonly kept_as: string;
  readonly notices: readonly string[];
};

export type Day = {
  readonly published: readonly Published[];
  readonly redelivered: readonly {
    readonly snapshot: string;
    readonly sequence: number;
    readonly moved_to: string;
  }[];
  readonly refused: { readonly snapshot: string; readonly message: string; readonly [fact: string]: unknown } | null;
  readonly waiting: readonly string[];
  readonly left_alone: readonly LeftAlone[];
  readonly site: Partial<StepFacts>;
  readonly failed: { readonly step: string; readonly message: string } | null;
};

/** cron mails these lines every day, so a run prints few. `--json` has the rest. */
const mostLines = 10;

function firstOf(lines: readonly string[], most: number, what: string): string[] {
  if (lines.length <= most) return [...lines];
  const rest = lines.length - most + 1;
  return [
    ...lines.slice(0, most - 1),
    `${most === 1 ? '' : 'and '}${rest} ${most === 1 ? '' : 'more '}${what}: --json has all`,
  ];
}

/** The reasons of a failure in a few lines; the last says what failed. Other news leaves room for fewer. */
export function reasonLines(lines: readonly string[], { published }: Day): string[] {
  return [...firstOf(lines.slice(0, -1), published.length === 0 ? mostLines - 2 : 2, 'reasons'), ...lines.slice(-1)];
}

/** Notices about published deliveries, and files that nobody used. */
export function noticeLines({ published, left_alone: leftAlone, refused, failed }: Day): string[] {
  const unused = leftAlone.map(({ path, reason }) => `left alone: ${path}: ${reason}`);
  const all = new Set([...unused, ...published.flatMap(({ notices }) => notices)]);
  return firstOf([...all], refused === null && failed === null ? 2 : 1, 'notices');
}

/** The lines about a day. `others`: how many other lines the run prints. `end`: the last line of the run. */
export function dayLines(day: Day, others: number, end: string): string[] {
  const { published, redelivered, refused, waiting, site } = day;
  const newest = published.at(-1);
  const isQuiet = published.length === 0 && redelivered.length === 0 && refused === null;
  const lines = [
    ...(isQuiet ? ['nothing new'] : earlierLines(published.slice(0, -1))),
    ...(newest ? publishedLines(newest) : []),
    ...listed(
      'the same as earlier publications',
      redelivered.map(({ snapshot, sequence }) => `${snapshot} (${sequence})`),
    ),
    ...listed('waiting', waiting),
  ];
  const made = siteLine(site);
  const last = [...(made === '' ? [] : [made]), end];
  return [...firstOf(lines, Math.max(1, mostLines - others - last.length), 'lines'), ...last];
}

/** A line for each delivery before the newest, or a single line if there are many, as after an operator was away. */
function earlierLines(published: readonly Published[]): string[] {
  const [first, last] = [published.at(0), published.at(-1)];
  if (first && last && published.length > 2)
    return [
      `published ${published.length} deliveries as publications ${first.sequence} to ${last.sequence}, ${first.snapshot} to ${last.snapshot}`,
    ];
  return published.map((one) => ('skipped' in one ? publishedBefore(one) : publishedAs(one)));
}

function publishedAs({ snapshot, kept_as: keptAs, ...facts }: PublishedFacts & Published): string {
  return `published ${snapshot} as ${publicationText(facts)}; kept as ${keptAs}`;
}

function publishedBefore({ snapshot, kept_as: keptAs, sequence }: Published): string {
  return `${snapshot} was already published, as publication ${sequence}; kept as ${keptAs}`;
}

function publishedLines(newest: Published): string[] {
  if ('skipped' in newest) return [publishedBefore(newest)];
  const { warnings } = newest;
  const warned = warnings.length === 0 ? [] : [`warnings: ${warnings.join(', ')}`];
  const counts = [...summaryLines(newest, []), ...warned].join('; ');
  return [publishedAs(newest), ...[...moveLines(newest), counts].map((line) => `  ${line}`)];
}

function listed(what: string, paths: readonly string[]): string[] {
  return paths.length === 0 ? [] : [`${what}: ${paths.join(', ')}`];
}

function siteLine({ build, verify, hosts, deploy }: Day['site']): string {
  return [
    ...(build ? [`built publication ${build.sequence}`] : []),
    ...(verify ? [verifyText(verify)] : []),
    ...(hosts ? ['wrote the configuration of hosts: reload the hosts that read it'] : []),
    ...(deploy ? [deploy.changed ? 'deployed the site' : 'the bucket already has it'] : []),
  ].join('; ');
}

function verifyText(verify: StepFacts['verify']): string {
  if ('skipped' in verify) return `the site was verified before, last in full on ${verify.full_at}`;
  const { why_full: whyFull, full_at: fullAt } = verify;
  return whyFull ? `verified the site in full: ${whyFull}` : `verified the new files; last full check ${fullAt}`;
}

/** The last line: how a run ended, and where the result is. Standard error has the reasons. `folder`: the site. */
export function dayEnd({ refused, waiting, site, failed }: Day, folder: string): string {
  const state = site.build ? `${folder} has publication ${site.build.sequence}` : `${folder} is unchanged`;
  if (failed !== null) return `not done: ${failed.step} failed; readers still see what they saw before`;
  if (refused === null) return site.build ? `done: ${state}; run shelfpress serve to look at it` : 'done';
  const rest =
    waiting.length === 0 ? '' : `, and ${countOf(waiting.length, 'later delivery waits', 'later deliveries wait')}`;
  return `not done: ${refused.snapshot} was refused${rest}; ${state}`;
}
