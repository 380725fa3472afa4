import { Failure } from '../files/failure.ts';
import { readRegularFile, refuseShared } from '../files/regular-file.ts';

/** Request headers that only the origin of a site gets, such as a login. They are never stored or shown. */
export type SiteHeaders = { readonly origin: string; readonly fields: Readonly<Record<string, string>> };

/** A login takes some kilobytes at most. */
const mostBytes = 64 * 1024;

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
 * The file has lines of `Name: value`, empty lines, and comments that begin with `#`. Throws a Failure for any other
 * line, or if other users may read the file. `root`: the public root of the site.
 */
export function readSiteHeaders(file: string, root: string): SiteHeaders {
  const text = readRegularFile(file, 'a file of request headers', mostBytes).toString();
  refuseShared(file);
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
