import { isAscii, isUtf8 } from 'node:buffer';
import type * as z from 'zod';
import { faultText, firstFaults } from '../../contract/schemas/checked-value.ts';
import { type FileFault, fileFault } from '../../contract/site/file-value.ts';
import { isShallow, jsonLevels } from '../../contract/text.ts';
import { Failure } from '../files/failure.ts';

/**
 * Text of UTF-8 bytes; null when the bytes are not UTF-8. A byte order mark stays in the text, so that JSON refuses it.
 */
export function decodeUtf8(bytes: Buffer): string | null {
  // Nearly every document is ASCII, and `latin1` is the fastest way to decode ASCII.
  if (isAscii(bytes)) return bytes.toString('latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : null;
}

/** The value of a JSON text, or the fault that parsing found. */
export type Parsed = { readonly value: unknown } | { readonly fault: string };

export function parseJsonBytes(bytes: Buffer): Parsed {
  if (!isShallow(bytes)) return { fault: `JSON of more than ${jsonLevels} levels` };
  const text = decodeUtf8(bytes);
  return text === null ? { fault: 'bytes that are not UTF-8' } : parseText(text);
}

export function parseText(text: string): Parsed {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}

/** The first places where a value does not match its schema, one entry each; none when it matches. */
export function schemaFaults(schema: z.ZodType, value: unknown): FileFault[] {
  return firstFaults(schema, value).map(fileFault);
}

/** Throws a Failure that names the document, the field and the fault if the value does not match its schema. */
export function checkValue(schema: z.ZodType, where: () => string, value: unknown): void {
  const [fault] = firstFaults(schema, value);
  if (fault) throw new Failure('program', `${where()}: ${faultText(fault)}`);
}
