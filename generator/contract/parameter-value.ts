import * as z from 'zod';
import { canonicalBound } from './instant.ts';
import { instantParameter, type QueryParameter } from './parameters.ts';

/** A value in the form in which the service compares it, or why the text is none. */
export type ParameterValue =
  | { readonly value: string | number | readonly (string | number)[] }
  | { readonly reason: string };

/** So much of a value is repeated in the reason why it is none. */
const repeatedCharacters = 80;

/** Reads the decoded text of a parameter, contract.md 3. */
export function parseParameter(parameter: QueryParameter, text: string): ParameterValue {
  if (text === '') return { reason: `expected ${parameter.expects}, got an empty value` };
  return parameter.list === undefined ? parseOne(parameter, text) : parseList(parameter, parameter.list, text);
}

function parseList(parameter: QueryParameter, most: number, text: string): ParameterValue {
  const texts = text.split(',');
  if (texts.length > most) return { reason: `expected at most ${most} values, got ${texts.length}` };
  const values: (string | number)[] = [];
  for (const one of texts) {
    if (one === '') return { reason: `expected ${parameter.expects}, got an empty value` };
    const parsed = parseOne(parameter, one);
    if ('reason' in parsed) return parsed;
    if (values.includes(parsed.value))
      return { reason: `expected each value once, got '${shortened(one, repeatedCharacters)}' again` };
    values.push(parsed.value);
  }
  return { value: values };
}

function parseOne({ schema, expects }: QueryParameter, text: string): { value: string | number } | { reason: string } {
  const value = convert(schema, text);
  const isValid = value !== null && schema.safeParse(value).success;
  return isValid ? { value } : { reason: `expected ${expects}, got '${shortened(text, repeatedCharacters)}'` };
}

/** Null for a text that no value of the schema is written as. */
function convert(schema: z.ZodType, text: string): string | number | null {
  if (schema instanceof z.ZodNumber) {
    const form = schema.isInt ? /^-?\d+$/ : /^-?\d+(\.\d+)?$/;
    // Adding zero turns -0 into 0.
    return form.test(text) ? Number(text) + 0 : null;
  }
  if (schema instanceof z.ZodGUID) return text.toLowerCase();
  if (schema === instantParameter) return schema.safeParse(text).success ? canonicalBound(text) : null;
  return text;
}

/** The beginning of a text that has more than so many UTF-16 units, with a sign that it goes on. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  // Half of a character outside the basic plane is none.
  return `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`;
}
