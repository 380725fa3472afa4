import { epochSeconds } from '../../../contract/instant.ts';
import type { Remembered } from '../../../contract/schemas/checkpoint.ts';
import type { WarningCode } from '../../../contract/warnings.ts';
import { Failure } from '../../files/failure.ts';
import type { Patience } from '../../http/limits.ts';
import { formatFault } from '../../site/fault.ts';
import { refuseBadCheckpoint } from '../../trust/pointer-trust.ts';
import { checkSample, type SampleCheck, type SampleOptions } from '../live-site.ts';

/** A monitor repeats the whole check itself, so one repeated request is enough and a silent host is soon given up. */
const patience: Patience = {
  attempts: 2,
  firstWaitMs: 500,
  longestWaitMs: 5_000,
  idleMs: 10_000,
  windowMs: 10_000,
  leastBytesPerWindow: 10 * 1024,
};

/** A publication may be this far ahead of the clock. `publish` refuses a snapshot that is further ahead. */
const aheadSeconds = 86_400;

/** Warnings that describe the data, and do not say that something is wrong. */
const informational: readonly WarningCode[] = ['FIXTURE_DATA'];

export type StatusOptions = Omit<SampleOptions, 'patience'> & {
  /** The oldest that a publication may be; null if any age is good. */
  readonly maxAgeSeconds: number | null;
  /** Warnings that are expected and do not fail. */
  readonly allowedWarnings: readonly WarningCode[];
  /** The checkpoint that was seen before; null for none. */
  readonly seen: Remembered | null;
};

/** The verdict of one check. A check that could not run is left out, and the failed one before it says why. */
export type StatusCheck =
  | ReturnType<typeof pointerCheck | typeof ageCheck | typeof sampleCheck>
  | ReturnType<typeof warningCheck>[number];

/** The state of a live site. `publication` is null when the pointer could not be used. */
export type SiteStatus = Awaited<ReturnType<typeof checkStatus>>;

/**
 * Looks at a live site as a monitor does. A site that does not answer has a status too. `now`: in seconds since 1970.
 */
export async function checkStatus(options: StatusOptions, now: number) {
  let sample: SampleCheck;
  try {
    sample = await checkSample({ ...options, patience });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const checks: readonly StatusCheck[] = [pointerCheck(withoutRoot(error.message, options.url))];
    return { ok: false, publication: null, checks, requests: 0, bytes: 0, signed: null };
  }
  const { sequence, revision, published_at } = sample.pointer;
  const distrust = await reasonToDistrust(sample, options, now);
  const checks: readonly StatusCheck[] = [
    pointerCheck(distrust),
    ageCheck(published_at, options.maxAgeSeconds, now),
    ...warningCheck(sample, options.allowedWarnings),
    sampleCheck(sample, options.url),
  ];
  return {
    ok: checks.every(({ ok }) => ok),
    publication: { sequence, revision, published_at },
    checks,
    requests: sample.requests,
    bytes: sample.bytes,
    signed: distrust === null ? sample.signed : null,
  };
}

/**
 * Why a signature cannot be trusted: it has expired, or does not continue the history that was seen. Null if it can.
 */
async function reasonToDistrust(
  { signed }: SampleCheck,
  { url, seen }: StatusOptions,
  now: number,
): Promise<string | null> {
  try {
    if (signed) await refuseBadCheckpoint(url, signed, seen, now * 1000);
    return null;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return withoutRoot(error.message, url);
  }
}

function pointerCheck(message: string | null) {
  return { check: 'pointer', ok: message === null, message } as const;
}

function ageCheck(publishedAt: string, maxAgeSeconds: number | null, now: number) {
  const age = Math.round(now - epochSeconds(publishedAt));
  const ok = age >= -aheadSeconds && (maxAgeSeconds === null || age <= maxAgeSeconds);
  return { check: 'age', ok, age_seconds: age, max_age_seconds: maxAgeSeconds } as const;
}

function warningCheck({ metadata }: SampleCheck, allowed: readonly WarningCode[]) {
  if (metadata === null) return [];
  const warnings = metadata.meta.warnings.map(({ code }) => code);
  const unexpected = warnings.filter((code) => !informational.includes(code) && !allowed.includes(code));
  return [{ check: 'warnings', ok: unexpected.length === 0, warnings, unexpected } as const];
}

function sampleCheck({ checked, routes, faultCount, faults, failure }: SampleCheck, url: string) {
  const [first] = faults;
  const found = first && `${faultCount === 1 ? '' : `${faultCount} faults, the first: `}${formatFault(first)}`;
  const message = failure ? withoutRoot(failure.message, url) : (found ?? null);
  return { check: 'sample', ok: message === null, checked, routes, message, faults } as const;
}

/** A message without the root of the site, which the line of the status names already. */
function withoutRoot(message: string, root: string): string {
  return message.replaceAll(`${root}/`, '/').replace(`${root}: `, '');
}
