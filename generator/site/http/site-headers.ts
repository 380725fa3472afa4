import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { explainFile, Failure } from '../../files/failure.ts';

/** Request headers that only the origin of a site gets, such as those of a login. They are never stored or shown. */
export type SiteHeaders = { readonly origin: string; readonly fields: Readonly<Record<string, string>> };

/** Headers that say how a message is sent, RFC 9110 7.6.1 and 8.6. The program sets them. */
const ownHeaders = [
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/**
 * Reads headers for a site from a file: lines of `Name: value`, empty lines, and comments that begin with `#`. Throws a
 * Failure when a line is something else, or when other users may read the file. `root`: the public root of the site.
 */
export function readSiteHeaders(file: string, root: string): SiteHeaders {
  const text = explainFile(file, 'a file of request headers', () => readPrivately(file));
  const fields: Record<string, string> = {};
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, name = '', value = ''] = /^([^:\s]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    const place = `${file} line ${index + 1}`;
    if (!isHeader(name, value)) throw new Failure('wrong_value', `${place}: expected a header, as Name: value`);
    if (ownHeaders.includes(name.toLowerCase()))
      throw new Failure('wrong_value', `${place}: expected no ${name}, which shelfpress sets itself`);
    if (name.toLowerCase() in fields) throw new Failure('wrong_value', `${place}: expected ${name} once, got it again`);
    fields[name.toLowerCase()] = value;
  }
  return { origin: new URL(root).origin, fields };
}

/** Windows has no file modes. */
function readPrivately(file: string): string {
  const descriptor = openSync(file, 'r');
  try {
    const mode = fstatSync(descriptor).mode & 0o777;
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      const octal = mode.toString(8).padStart(3, '0');
      throw new Failure(
        'file',
        `${file}: expected a file that only its owner may use, got mode ${octal}; chmod 600 it`,
      );
    }
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** An import of node:http would load all of fetch, and every command imports this file with its options. */
function isHeader(name: string, value: string): boolean {
  const { validateHeaderName, validateHeaderValue } = process.getBuiltinModule('node:http');
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return value !== '';
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
