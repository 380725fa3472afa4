import * as z from 'zod';
import { text } from '../primitives.ts';

/** The name of a license: an identifier such as `CC-BY-4.0`. */
export const licenseName = z.string().regex(/^[-a-zA-Z0-9._]+$/);

/**
 * Who publishes the data and under what terms, as the operator states it in the curation. What the operator does not
 * state is null.
 */
export const about = z
  .strictObject({
    title: text.nullable(),
    agency: text.nullable(),
    notice: text.nullable(),
    license: z.strictObject({ name: licenseName, url: z.url().nullable() }).nullable(),
    source_url: z.url().nullable(),
    contact: text.nullable(),
  })
  .meta({ id: 'About' });

export type About = z.infer<typeof about>;

/** `/metadata` as far as it says that. A site of version 1.1.0 of the contract or older does not have it. */
export const metadataAbout = z.object({ data: z.object({ about: about.nullable().default(null) }) });

/** The way to reach the operator. A contact is an email address or else a URL. */
export function contactPoint({ contact }: About): { readonly email: string } | { readonly url: string } | null {
  if (contact === null) return null;
  return isWebUrl(contact) ? { url: contact } : { email: contact };
}

/** An http or https URL without characters that a URI must not hold, RFC 3986 2, such as spaces and quotes. */
const webUrl = /^https?:\/\/[^\s\p{Cc}<>"{}|\\^`]+$/u;

export function isWebUrl(url: string): boolean {
  return webUrl.test(url) && URL.canParse(url);
}
