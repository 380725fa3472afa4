import { type Addresser, addresser } from '../../generator/contract/paths.ts';
import { cursorSecrets } from '../cursor-secrets.ts';
import type { Environment } from './bindings.ts';

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
  const { secrets, isRandom } = cursorSecrets(environment);
  if (baseUrl && !(/^https?:\/\//.test(baseUrl) && URL.canParse(baseUrl))) {
    throw new Error(`BASE_URL starts with http:// or https://, got '${baseUrl}'`);
  }
  if (logRequests !== 'true' && logRequests !== 'false') {
    throw new Error(`LOG_REQUESTS is true or false, got '${logRequests}'`);
  }
  return {
    address: addresser(baseUrl || null),
    cursorSecrets: secrets,
    isSecretRandom: isRandom,
    logsRequests: logRequests === 'true',
  };
}
