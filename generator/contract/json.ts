import type * as z from 'zod';
import { Failure } from '../failure.ts';

/** Throws a Failure that names the document, the field and what is wrong with it. `where` is asked only then. */
export function checkValue(schema: z.ZodType, where: () => string, value: unknown): void {
  const result = schema.safeParse(value);
  if (result.success) return;
  const [issue] = result.error.issues;
  const field = issue?.path.join('.') || 'the document';
  throw new Failure(`${where()}: ${field}: ${issue?.message ?? 'does not match its schema'}`);
}

/** A text as JSON; null for what is none. A schema that takes no null says the rest. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
