import { randomBytes } from 'node:crypto';
import { UsageError } from './usage-error.ts';

const minimumLength = 16;

export type CursorSecrets = {
  /** The first one signs; all of them are believed, contract.md 4. */
  readonly secrets: readonly [string, ...string[]];
  /** Nobody chose the secret: cursors end with the process, and no other process knows them. */
  readonly isRandom: boolean;
};

/**
 * The secrets that cursors are signed with: CURSOR_SECRET, and CURSOR_SECRET_PREVIOUS until what it signed has expired.
 * They come from the environment alone, as everybody on the machine sees a command line. Throws a {@link UsageError}.
 */
export function cursorSecrets(environment: Readonly<Record<string, string | undefined>>): CursorSecrets {
  const secret = longEnough(environment, 'CURSOR_SECRET');
  const previous = longEnough(environment, 'CURSOR_SECRET_PREVIOUS');
  if (secret !== null) return { secrets: previous === null ? [secret] : [secret, previous], isRandom: false };
  if (previous !== null) throw new UsageError('CURSOR_SECRET_PREVIOUS is set, and CURSOR_SECRET is not');
  return { secrets: [randomBytes(32).toString('base64url')], isRandom: true };
}

/** The message never shows the secret, only its length. */
function longEnough(environment: Readonly<Record<string, string | undefined>>, name: string): string | null {
  const secret = environment[name] || null;
  if (secret !== null && secret.length < minimumLength) {
    throw new UsageError(`${name} expects at least ${minimumLength} characters, got ${secret.length}`);
  }
  return secret;
}
