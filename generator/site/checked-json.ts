import { isAscii, isUtf8 } from 'node:buffer';
import type * as z from 'zod';
import { issuesOf } from '../../contract/checked-value.ts';
import { isShallow, jsonLevels } from '../../contract/text.ts';
import { Failure } from '../files/failure.ts';
import { shown } from './fault.ts';

/**
 * Text of UTF-8 bytes; null when the bytes are not UTF-8. A byte order mark stays in the text, so that JSON refuses it.
 */
export function textOf(bytes: Buffer): string | null {
  // Nearly every document is ASCII, and `latin1` is the fastest way to decode ASCII.
  if (isAscii(bytes)) return bytes.toString('latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : null;
}

/** The value of a JSON text, or the problem that parsing found. */
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

/** The first places where a value does not match its schema, one entry each; none when it matches. */
export function schemaProblems(schema: z.ZodType, value: unknown): SchemaProblem[] {
  return issuesOf(schema, value).map((issue) => problemOf(deepest(issue), value));
}

/**
 * Throws a Failure that names the document, the field and the fault if the value does not match. Calls `where` only
 * then.
 */
export function checkValue(schema: z.ZodType, where: () => string, value: unknown): void {
  const [issue] = issuesOf(schema, value);
  if (!issue) return;
  throw new Failure('program', `${where()}: ${issue.path.join('.') || 'the document'}: ${issue.message}`);
}

/** For a union, returns the first issue of the first alternative, because schemas put the usual alternative first. */
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
