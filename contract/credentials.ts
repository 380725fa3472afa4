/**
 * Whether a URL has a user name or a password, RFC 3986 3.2.1. The program refuses such URLs everywhere, because URLs
 * are stored, printed and logged. A text that cannot be parsed counts if it looks like such a URL.
 */
export function hasCredentials(text: string): boolean {
  if (!URL.canParse(text)) return /^[a-z][a-z\d+.-]*:\/\/.*@/is.test(text);
  const { username, password } = new URL(text);
  return username !== '' || password !== '';
}

export function withoutCredentials(text: string): string {
  if (!hasCredentials(text)) return text;
  if (!URL.canParse(text)) return text.replace(/:\/\/.*@/s, '://');
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return url.href;
}
