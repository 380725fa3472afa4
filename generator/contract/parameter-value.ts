import * as z from 'zod';
import { canonicalBound } from './instant.ts';
import { instantParameter, type QueryParameter } from './parameters.ts';

/** A value in the form in which the service compares it, or the reason why the text is invalid. */
export type ParameterValue =
  | { readonly value: string | number | readonly (string | number)[] }
  | { readonly reason: string };

/** A reason repeats at most this many UTF-16 units of an invalid value. */
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

/** Converts a text to the form of the schema's values. Returns null if no value has this text. */
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

/** A text of more than `most` UTF-16 units is cut and ends with an ellipsis. Other texts stay as they are. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  // The cut must not leave half of a surrogate pair.
  return `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`;
}
