import type { Allowance } from '../host.ts';

/** The name of the quota in the fields. It counts selections, searches and comparisons. */
const policy = '"selections"';

/**
 * The header fields RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers): the quota and its window
 * in seconds, what is left of it, and the seconds until it is whole again. None where the host cannot tell.
 */
export function rateLimitFields({ quota }: Allowance): Readonly<Record<string, string>> {
  if (quota === null) return {};
  const { points, window, remaining, reset } = quota;
  return {
    'RateLimit-Policy': `${policy};q=${points};w=${window}`,
    RateLimit: `${policy};r=${remaining};t=${reset}`,
  };
}
