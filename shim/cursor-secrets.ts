const minimumLength = 16;

type Environment = {
  readonly CURSOR_SECRET?: string | undefined;
  readonly CURSOR_SECRET_PREVIOUS?: string | undefined;
};

export type CursorSecrets = {
  /** The first one signs; cursors signed by any of them are accepted, contract.md 4. */
  readonly secrets: readonly [string, ...string[]];
  /** The secret is random, because none was configured. Cursors end with this process or isolate; no other knows them. */
  readonly isRandom: boolean;
};

/**
 * The secrets that sign cursors. They come from the environment alone, because everybody on the machine can see a command
 * line. Throws an Error that names what is wrong and never shows a secret, only its length.
 */
export function cursorSecrets(environment: Environment): CursorSecrets {
  const secret = longEnough(environment, 'CURSOR_SECRET');
  const previous = longEnough(environment, 'CURSOR_SECRET_PREVIOUS');
  if (secret !== null) return { secrets: previous === null ? [secret] : [secret, previous], isRandom: false };
  if (previous !== null) throw new Error('CURSOR_SECRET_PREVIOUS is set, and CURSOR_SECRET is not');
  return { secrets: [`${crypto.randomUUID()} ${crypto.randomUUID()}`], isRandom: true };
}

function longEnough(environment: Environment, name: keyof Environment): string | null {
  const secret = environment[name] || null;
  if (secret !== null && secret.length < minimumLength) {
    throw new Error(`${name} expects at least ${minimumLength} characters, got ${secret.length}`);
  }
  return secret;
}
