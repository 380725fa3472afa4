import { shortened } from '../generator/contract/parameter-value.ts';
import { problemLimits } from '../generator/contract/problem.ts';
import type { InvalidParameter } from './problem-error.ts';

/** The parameters that a problem names, and how many there are. */
export type NamedParameters = { readonly named: readonly InvalidParameter[]; readonly count: number };

/**
 * As many offending parameters as a problem names, in their order: a request of 8 KB can have thousands, and names that take
 * six times their bytes in JSON.
 */
export function namedParameters(all: readonly InvalidParameter[]): NamedParameters {
  const named: InvalidParameter[] = [];
  let bytes = 0;
  for (const { name, reason } of all.slice(0, problemLimits.parameters)) {
    const entry = { name: shortened(name, problemLimits.nameCharacters), reason };
    bytes += ascii(JSON.stringify(entry)).length + 1;
    if (bytes > problemLimits.parametersBytes && named.length > 0) break;
    named.push(entry);
  }
  return { named, count: all.length };
}

/**
 * The path and query of a request target as a URI reference, contract.md 6. Escaping can make three characters of one: what
 * would be longer than a target may be is the path alone, and of a path that is, its beginning.
 */
export function instanceOf(target: string, path: string): string {
  for (const part of [target, path]) {
    const reference = uriReference(part);
    if (reference.length <= problemLimits.instanceCharacters) return reference;
  }
  // An escape is whole or not there.
  return uriReference(path)
    .slice(0, problemLimits.instanceCharacters)
    .replace(/%[0-9A-Fa-f]?$/, '');
}

/** JSON in ASCII, so that a body has as many bytes as characters: reasons repeat what was sent. */
export function ascii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * The target with everything escaped that a URI may not hold, RFC 3986 2: `instance` is a URI reference, whatever was
 * asked for. A request target is bytes, one a character.
 */
function uriReference(target: string): string {
  return target.replace(/%(?![0-9A-Fa-f]{2})|[^\w\-.~:/?@!$&'()*+,;=%]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  });
}
