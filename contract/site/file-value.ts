import type * as z from 'zod';
import { issuesOf, knownValue } from '../checked-value.ts';
import { isShallow, jsonLevels, jsonStart, shortened } from '../text.ts';

/**
 * How strictly a file of a site is read. `exact`: it has every field of its schema and no other. `known`: fields that
 * the reader does not know are dropped, because files may gain fields (contract.md 10).
 */
export type Strictness = 'exact' | 'known';

/** What was expected of a file and what came instead, in words for a message. */
export type FileFault = { readonly expected: string; readonly got: string };

/** A message shows at most this much of what a file says, in characters. */
const [longestMessage, longestGot] = [400, 80];

/**
 * Reads the value of a JSON file of a site. Calls `onFault` with each fault, which may throw to stop at the first. Null
 * if the value cannot be used. `most`: the most bytes of the file.
 */
export function readFileValue<Value>(
  bytes: Uint8Array,
  schema: z.ZodType<Value>,
  { strictness, most, onFault }: { strictness: Strictness; most: number; onFault: (found: FileFault) => void },
): Value | null {
  if (bytes.length > most) {
    onFault({ expected: `at most ${most} bytes`, got: String(bytes.length) });
    return null;
  }
  const json = parseStrictJson(bytes);
  if ('got' in json) {
    onFault(json);
    return null;
  }
  if (strictness === 'exact') {
    const issues = issuesOf(schema, json.value);
    for (const issue of issues) onFault(faultIn(issue, json.value));
    return issues.length === 0 ? (json.value as Value) : null;
  }
  const read = knownValue(schema, json.value);
  if ('value' in read) return read.value;
  onFault(faultIn(read.issue, json.value));
  return null;
}

/** The value of JSON in UTF-8 without a byte order mark, of few levels; else what is wrong with it. */
function parseStrictJson(bytes: Uint8Array): { readonly value: unknown } | FileFault {
  if (!isShallow(bytes)) return { expected: `JSON of at most ${jsonLevels} levels`, got: 'more' };
  try {
    return { value: JSON.parse(utf8.decode(bytes)) };
  } catch (error) {
    return { expected: 'JSON', got: (error as Error).message };
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function faultIn(found: z.core.$ZodIssue, value: unknown): FileFault {
  const issue = firstOfUnion(found);
  const field = issue.path.map(String).join('.') || 'the whole';
  const got = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value);
  return {
    expected: `${field} to match its schema (${shortened(issue.message, longestMessage)})`,
    got: shortened(got === undefined ? 'nothing' : jsonStart(got, longestGot + 1), longestGot),
  };
}

/** The first issue of the first alternative of a union, because schemas put the usual alternative first. */
function firstOfUnion(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  const inner = issue.code === 'invalid_union' ? issue.errors[0]?.[0] : undefined;
  return inner === undefined ? issue : firstOfUnion({ ...inner, path: [...issue.path, ...inner.path] });
}
