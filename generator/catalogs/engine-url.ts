import { Failure } from '../files/failure.ts';
import { refuseCredentials } from '../http/urls.ts';

/** The container of an Azure account is written where a user name would be. */
const azureContainer = /^(?:abfss?|wasbs?):\/\/[^:@/]+@[^@/]+\//i;

/**
 * The URL at which engines such as Spark find a folder: `s3://bucket/site` or `file:///srv/mirror`. Returns it without
 * slashes at its end. Throws a Failure for any other text.
 */
export function parseEngineUrl(text: string): string {
  if (!azureContainer.test(text)) refuseCredentials(text);
  const trimmed = text.replace(/\/+$/, '');
  if (!/^[a-z][a-z0-9+.-]*:\/\/(?:\/|[\w-])[\w\-./@:%+~=,]*$/i.test(trimmed) || trimmed.includes('/../')) {
    throw new Failure(
      'wrong_value',
      'expected a URL without a query, such as s3://bucket/site, https://example.org or file:///srv/site',
    );
  }
  return trimmed;
}

/** Like {@link parseEngineUrl}, but for the folder of a site, without `/v1` at its end. */
export function parseEngineSite(text: string): string {
  return parseEngineUrl(text).replace(/\/+v1$/, '');
}
