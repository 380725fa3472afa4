import { type Command, InvalidArgumentError } from 'commander';
import { warningCode } from '../../contract/schemas/primitives.ts';
import type { WarningCode } from '../../contract/warnings.ts';
import { countText } from '../files/failure.ts';
import { NegativeAnswer, type Output, withExample } from '../terminal/output.ts';
import { ageText, durationText, sizeText, stopwatch } from '../terminal/texts.ts';
import { readPublicKey } from '../trust/keys.ts';
import { readRemembered, saveRemembered } from '../trust/pointer-trust.ts';
import { checkStatus, type SiteStatus, type StatusCheck } from '../verify/inspect/site-status.ts';
import { collectOneOf, headersFor, headersOption, parseSiteUrl, redirectOption, wholeNumber } from './options.ts';

type Options = {
  maxAge?: number;
  sample: number;
  allowWarning?: readonly WarningCode[];
  key?: string;
  seen?: string;
  bytes: boolean;
  allowRedirectsTo?: readonly string[];
  headers?: string;
};

const usualSample = 5;

/** Says in one line whether a live site is recent, without warnings, and sound in a sample. Exit code 1 if not. */
export function defineStatus(command: Command, output: Output): void {
  command
    .argument('<url>', 'public root of the site, with or without /v1', parseSiteUrl)
    .option('--max-age <time>', 'fail if the publication is older than this, such as 90m, 26h or 3d', parseAge)
    .option('--sample <count>', 'number of addresses to request', wholeNumber(1, 9999), usualSample)
    .option(
      '--allow-warning <code>',
      'do not fail because of this warning; repeatable',
      collectOneOf(warningCode.options),
    )
    .option('--key <file>', 'public key that must have signed the pointer')
    .option('--seen <file>', 'with --key: remember the checkpoint here, and refuse an older or a different history')
    .option('--bytes', 'compare bodies only, not headers: buckets cannot send every header', false)
    .addOption(redirectOption())
    .addOption(headersOption())
    .option('--json', 'print one JSON object: ok, publication, checks', false)
    .action(async (url: string, options: Options) => {
      const { maxAge: maxAgeSeconds = null, sample, bytes: bytesOnly, allowRedirectsTo: redirectsTo } = options;
      const key = options.key === undefined ? null : readPublicKey(options.key);
      const siteHeaders = headersFor(url, options.headers);
      const allowedWarnings = options.allowWarning ?? [];
      if (options.seen !== undefined && key === null) command.error('error: --seen needs --key');
      const seen = options.seen === undefined ? null : readRemembered(options.seen);
      const elapsed = stopwatch();
      output.progress(`asking ${url}`);
      const status = await checkStatus(
        { url, key, sample, bytesOnly, redirectsTo, siteHeaders, maxAgeSeconds, seen, allowedWarnings },
        Date.now() / 1000,
      );
      const { ok, signed, ...rest } = status;
      if (signed && options.seen !== undefined) saveRemembered(options.seen, signed);
      const seconds = elapsed();
      output.result({ ok, url, ...rest, seconds }, [statusLine(url, status, seconds)]);
      if (!ok) throw new NegativeAnswer();
    });
  withExample(command, 'shelfpress status https://example.org/v1 --max-age 26h');
}

/** `ok: https://example.org: publication 12 of 2025-06-05T22:00:00Z, 3 h old, 5 of 557 addresses checked; …` */
export function statusLine(
  url: string,
  { ok, publication, checks, requests, bytes }: SiteStatus,
  seconds: number,
): string {
  if (!ok) {
    const problems = checks.filter((check) => !check.ok).map(problemText);
    return `failing: ${url}: ${publication ? `publication ${publication.sequence}: ` : ''}${problems.join('; ')}`;
  }
  const of = publication && `publication ${publication.sequence} of ${publication.published_at}`;
  const cost = `${countText(requests)} requests, ${sizeText(bytes)}; ${durationText(seconds)}`;
  return `ok: ${url}: ${[of, ...checks.flatMap(soundText)].join(', ')}, ${cost}`;
}

function soundText(check: StatusCheck): string[] {
  if (check.check === 'age') return [oldText(check.age_seconds)];
  if (check.check === 'sample') return [`${countText(check.checked)} of ${countText(check.routes)} addresses checked`];
  return [];
}

function problemText(check: StatusCheck): string {
  switch (check.check) {
    case 'age': {
      const { age_seconds, max_age_seconds } = check;
      if (age_seconds < 0 || max_age_seconds === null) return `${oldText(age_seconds)}, expected at most 24 h ahead`;
      return `${oldText(age_seconds)}, expected at most ${ageText(max_age_seconds)}`;
    }
    case 'warnings':
      return `${check.unexpected.length === 1 ? 'warning' : 'warnings'} ${check.unexpected.join(', ')}`;
    default:
      return check.message ?? `checking the ${check.check} failed`;
  }
}

function oldText(seconds: number): string {
  return seconds < 0 ? `${ageText(-seconds)} ahead of the clock` : `${ageText(seconds)} old`;
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** `90m`, `26h` or `3d` in seconds. */
function parseAge(text: string): number {
  const [, digits, unit = ''] = /^([1-9]\d{0,5})([smhd])$/.exec(text) ?? [];
  const seconds = Number(digits) * (unitSeconds[unit] ?? 0);
  if (digits === undefined) throw new InvalidArgumentError(`expected a time such as 90m, 26h or 3d, got ${text}`);
  return seconds;
}
