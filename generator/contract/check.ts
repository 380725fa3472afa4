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
