import { addressTable } from './addresses.ts';
import type { Route } from './formats/site.ts';
import { parsePath } from './paths.ts';

type Saved = Pick<Route, 'path' | 'last_modified'>;

/**
 * The name under which a browser saves the answer of a route; null where it shows the answer. Browsers decode a file
 * that is sent with a Content-Encoding before they save it, so NDJSON has the name of the decoded file. The date is that
 * of the publication in which the bytes last changed: of a file that never changes, its own.
 */
function savedName({ path, last_modified }: Saved): string | null {
  const address = parsePath(path);
  const template = address && addressTable[address.kind].savedAs;
  if (!template) return null;
  const values: Readonly<Record<string, string>> = { ...address.parameters, date: last_modified.slice(0, 10) };
  return template.replace(/\{([a-z_]+)\}/g, (_, name: string) => values[name] ?? name);
}

/** The Content-Disposition of a route (RFC 6266); null for a route without one. */
export function contentDisposition(route: Saved): string | null {
  const name = savedName(route);
  return name === null ? null : `attachment; filename="${name}"`;
}
