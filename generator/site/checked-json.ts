import { isAscii, isUtf8 } from 'node:buffer';
import type * as z from 'zod';
import { isShallow, jsonLevels } from '../contract/json.ts';
import { shown } from './fault.ts';

/** Text of UTF-8 bytes, or null when they are none. A byte order mark stays, so that JSON refuses it. */
export function textOf(bytes: Buffer): string | null {
  // Nearly every document is ASCII, for which one byte a character is the fastest way there is.
  if (isAscii(bytes)) return bytes.toString('latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : null;
}

/** What JSON holds, or what is wrong with it. */
export type Parsed = { readonly value: unknown } | { readonly problem: string };

export function parseJson(bytes: Buffer): Parsed {
  if (!isShallow(bytes)) return { problem: `JSON of more than ${jsonLevels} levels` };
  const text = textOf(bytes);
  return text === null ? { problem: 'bytes that are not UTF-8' } : parseText(text);
}

export function parseText(text: string): Parsed {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

export type SchemaProblem = { readonly expected: string; readonly got: string };

/** Where a value departs from its schema, one entry a place; none when it fits. */
export function schemaProblems(schema: z.ZodType, value: unknown): SchemaProblem[] {
  const result = schema.safeParse(value);
  return result.success ? [] : result.error.issues.map((issue) => problemOf(deepest(issue), value));
}

/** Of a union the first alternative speaks: schemas put the usual one first. */
function deepest(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  const inner = issue.errors[0]?.[0];
  return inner ? deepest({ ...inner, path: [...issue.path, ...inner.path] }) : issue;
}

function problemOf(issue: z.core.$ZodIssue, value: unknown): SchemaProblem {
  const field = issue.path.map(String).join('.') || 'the whole';
  const got = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value);
  return { expected: `${field} to match its schema (${issue.message})`, got: shown(got) };
}
