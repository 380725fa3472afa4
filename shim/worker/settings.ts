import { type Addresser, addresser } from '../../generator/contract/paths.ts';
import type { Environment } from './bindings.ts';

const minimumLength = 16;

export type EdgeSettings = {
  readonly address: Addresser;
  /** The first one signs cursors; cursors signed by any of them are accepted, contract.md 4. */
  readonly cursorSecrets: readonly [string, ...string[]];
  /** The secret is random, because none was configured. No other isolate knows it. */
  readonly isSecretRandom: boolean;
  readonly logsRequests: boolean;
};

/** Reads the variables and secrets of a worker. Throws an error that names the one that is wrong. */
export function readSettings(environment: Environment): EdgeSettings {
  const { BASE_URL: baseUrl, LOG_REQUESTS: logRequests = 'false' } = environment;
  const secret = longEnough(environment, 'CURSOR_SECRET');
  const previous = longEnough(environment, 'CURSOR_SECRET_PREVIOUS');
  if (secret === null && previous !== null) {
    throw new Error('CURSOR_SECRET_PREVIOUS is set, and CURSOR_SECRET is not');
  }
  if (baseUrl && !(/^https?:\/\//.test(baseUrl) && URL.canParse(baseUrl))) {
    throw new Error(`BASE_URL starts with http:// or https://, got '${baseUrl}'`);
  }
  if (logRequests !== 'true' && logRequests !== 'false') {
    throw new Error(`LOG_REQUESTS is true or false, got '${logRequests}'`);
  }
  return {
    address: addresser(baseUrl || null),
    cursorSecrets: previous === null ? [secret ?? randomSecret()] : [secret ?? randomSecret(), previous],
    isSecretRandom: secret === null,
    logsRequests: logRequests === 'true',
  };
}

/** The message never shows the secret, only its length. */
function longEnough(environment: Environment, name: 'CURSOR_SECRET' | 'CURSOR_SECRET_PREVIOUS'): string | null {
  const secret = environment[name] || null;
  if (secret !== null && secret.length < minimumLength) {
    throw new Error(`${name} expects at least ${minimumLength} characters, got ${secret.length}`);
  }
  return secret;
}

function randomSecret(): string {
  return `${crypto.randomUUID()} ${crypto.randomUUID()}`;
}
