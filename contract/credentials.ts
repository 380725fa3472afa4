/**
 * Whether a URL holds a user name or a password, RFC 3986 3.2.1. No part of the program takes one that does, because URLs
 * are stored, printed and logged. A text that is no URL counts when it seems meant as one.
 */
export function hasCredentials(text: string): boolean {
  if (!URL.canParse(text)) return /^[a-z][a-z\d+.-]*:\/\/.*@/is.test(text);
  const { username, password } = new URL(text);
  return username !== '' || password !== '';
}

/** A URL as it may be shown: without a user name and a password. */
export function withoutCredentials(text: string): string {
  if (!hasCredentials(text)) return text;
  if (!URL.canParse(text)) return text.replace(/:\/\/.*@/s, '://');
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return url.href;
}
