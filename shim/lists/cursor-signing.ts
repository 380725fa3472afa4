import { type CursorClaims, cursorClaims } from '../../contract/schemas/pages.ts';
import { webHash } from '../../contract/site/source.ts';
import { cursorLimit } from '../../contract/vocabulary.ts';
import { ProblemError } from '../problems.ts';

/** Cursors are dated to the beginning of a window of seconds, so that a list has the same bytes throughout a window. */
const windowSeconds = 60;
const lifeSeconds = 15 * 60;

type CursorSignerOptions = {
  /** The first one signs; cursors signed by any of them are accepted. */
  readonly secrets: readonly [string, ...string[]];
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

/** Issues and reads cursors, contract.md 4. */
export class CursorSigner {
  readonly #options: CursorSignerOptions;
  readonly #keys: readonly [Key, ...Key[]];

  constructor(options: CursorSignerOptions) {
    const [first, ...others] = options.secrets;
    this.#options = options;
    this.#keys = [lazyKey(first), ...others.map(lazyKey)];
  }

  /** When a cursor issued now expires, in seconds since 1970: 14 to 15 minutes from now. */
  get expires(): number {
    const seconds = Math.floor(this.#options.now() / 1000);
    return seconds - (seconds % windowSeconds) + lifeSeconds;
  }

  /** A cursor for a position in a list. `query`: the list's address with its canonical query. */
  async sign(query: string, expires: number, claims: Pick<CursorClaims, 'revision' | 'position'>): Promise<string> {
    const { revision, position } = claims;
    const whole: CursorClaims = { revision, query: await webHash(encoder.encode(query)), expires, position };
    const text = encoder.encode(JSON.stringify(whole));
    const [key] = this.#keys;
    const signature = await crypto.subtle.sign('HMAC', await key(), text);
    return `${toBase64Url(text)}.${toBase64Url(new Uint8Array(signature))}`;
  }

  /**
   * The claims of a cursor. Throws `CURSOR_INVALID` if it is damaged or was not signed with one of the secrets,
   * `CURSOR_QUERY_MISMATCH` if it belongs to another list or query, and `CURSOR_EXPIRED` if it has expired.
   */
  async read(cursor: string, query: string): Promise<CursorClaims> {
    const claims = await this.#verify(cursor);
    if (claims === null) throw new ProblemError('CURSOR_INVALID');
    if (claims.query !== (await webHash(encoder.encode(query)))) throw new ProblemError('CURSOR_QUERY_MISMATCH');
    if (claims.expires * 1000 < this.#options.now()) throw new ProblemError('CURSOR_EXPIRED');
    return claims;
  }

  async #verify(cursor: string): Promise<CursorClaims | null> {
    if (cursor.length > cursorLimit) return null;
    const match = /^([\w-]+)\.([\w-]+)$/.exec(cursor);
    const text = fromBase64Url(match?.[1] ?? '');
    const signature = fromBase64Url(match?.[2] ?? '');
    if (text === null || signature === null) return null;
    for (const key of this.#keys) {
      if (await crypto.subtle.verify('HMAC', await key(), signature, text)) {
        return cursorClaims.parse(JSON.parse(new TextDecoder().decode(text)));
      }
    }
    return null;
  }
}

const encoder = new TextEncoder();

/** A key of HMAC-SHA-256. */
type Key = () => ReturnType<typeof crypto.subtle.importKey>;

function lazyKey(secret: string): Key {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  let key: Awaited<ReturnType<Key>> | null = null;
  return async () => {
    // Keeps the key and not its promise, because at the edge no request may wait for another one.
    key ??= await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign', 'verify']);
    return key;
  };
}

function toBase64Url(bytes: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replace(/[+/=]/g, (character) => (character === '+' ? '-' : character === '/' ? '_' : ''));
}

/**
 * The decoded bytes; null for any text that {@link toBase64Url} would not write, so that each cursor has exactly one
 * spelling.
 */
function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/');
  if (text === '' || base64.length % 4 === 1) return null;
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return toBase64Url(bytes) === text ? bytes : null;
}

const minimumLength = 16;

type Environment = Readonly<Partial<Record<'CURSOR_SECRET' | 'CURSOR_SECRET_PREVIOUS', string | undefined>>>;

export type CursorSecrets = {
  /** The first one signs; cursors signed by any of them are accepted, contract.md 4. */
  readonly secrets: readonly [string, ...string[]];
  /** The secret is random, because none was configured. Cursors are valid in this process or isolate only. */
  readonly isRandom: boolean;
};

/**
 * The secrets that sign cursors. They come only from the environment, because everyone on the machine can see a command
 * line. Throws an Error that says what is wrong and never shows a secret, only its length.
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
