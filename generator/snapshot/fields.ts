import * as z from 'zod';
import { canonicalInstant } from '../../contract/instant.ts';
import { type CodeKind, expectedCode, type Profile } from '../../contract/profile.ts';
import { shown } from '../../contract/schemas/checked-value.ts';
import { licenseName as contractLicenseName, isWebUrl } from '../../contract/schemas/metadata.ts';
import { categoryId as contractCategoryId, slug as contractSlug } from '../../contract/schemas/primitives.ts';
import { countText } from '../files/failure.ts';
import { limits } from './limits.ts';

/*
 * Schemas of single fields of a snapshot. Their messages say what is expected, whatever was found. Their metadata is
 * for the printed JSON Schemas, which cannot contain the code of a check.
 */

export const anyText = textUpTo(limits.text).meta({ maxLength: limits.text });
export const name = textUpTo(limits.name)
  .refine((text) => text.trim() !== '', 'text that is not blank')
  .meta({ maxLength: limits.name, pattern: '\\S' });
/** A name that readers see unchanged, even in XML, which cannot contain control characters. */
export const line = name.refine(
  (text) => !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text),
  'one line of printable text',
);
export const webUrl = textUpTo(limits.url)
  .refine(isWebUrl, 'an http or https URL')
  .meta({ maxLength: limits.url, format: 'uri' });
export const contact = textUpTo(limits.url)
  .overwrite((text) => text.replace(/^mailto:/i, ''))
  .refine((text) => isWebUrl(text) || z.email().safeParse(text).success, 'an email address or an http or https URL')
  .meta({ maxLength: limits.url });

export function agencyCode(kind: CodeKind, profile: Profile): z.ZodString {
  const schema = z.string().regex(new RegExp(profile[kind].pattern));
  return saying(schema, expectedCode(kind, profile));
}

export const slug = identifier(saying(contractSlug, 'a slug of a-z, 0-9 and -'));
export const categoryId = identifier(saying(contractCategoryId, 'a category id like cat_red_wine'));
export const licenseName = identifier(saying(contractLicenseName, 'a name of letters, digits and .-_, like CC-BY-4.0'));
export const flag = z.boolean();
export const integer = z.int('an integer');
export const wholeNumber = integerFrom(0);
export const volume = integerFrom(1).nullable();
const halves = 'a number of millilitres of at least 0, in halves';
/** In milliliters, as sources write it: 187.5 for a quarter of a bottle. */
export const volumeOfSource = z
  .number(halves)
  .min(0, halves)
  .multipleOf(0.5, halves)
  .overwrite((value) => value + 0);

export const instant = instantField('a date-time like 2024-01-02T22:26:37Z', () => true);
export const utcInstant = instantField('a date-time in UTC like 2024-01-02T22:26:37Z', (text) => /z$/i.test(text));

/** An array of at most `most` items. A longer one is one fault, and its items are not checked. */
export function listUpTo<Item extends z.ZodType>(most: number, item: Item) {
  return z
    .array(z.unknown())
    .check(({ value, issues }) => {
      if (value.length <= most) return;
      const message = `at most ${countText(most)} entries`;
      issues.push({ code: 'custom', message, input: value, params: { got: countText(value.length) } });
    })
    .meta({ maxItems: most })
    .pipe(z.array(item));
}

export function listOfUnique<Item extends z.ZodType<string>>(field: string, item: Item) {
  return listUpTo(limits.shortList, item).check(({ value, issues }) => reportRepeats(value, issues, field));
}

/** Adds an issue for each repeated value. `field`: the list's name in messages. `path`: the path of an item. */
export function reportRepeats(
  values: readonly string[],
  issues: z.core.$ZodRawIssue[],
  field: string,
  path = (index: number): PropertyKey[] => [index],
): void {
  const first = new Map<string, number>();
  values.forEach((value, index) => {
    const before = first.get(value);
    if (before === undefined) {
      first.set(value, index);
      return;
    }
    const got = `${shown(value)}, which ${field}[${before}] has too`;
    const message = 'a value of its own';
    issues.push({ code: 'custom', message, input: value, path: path(index), params: { got }, continue: true });
  });
}

/** SQLite functions may end text at a NUL, and UTF-8 has no unpaired surrogates, so both would change. */
function textUpTo(most: number) {
  return z.string().check(({ value, issues }) => {
    if (value.length > most) {
      const message = `text of at most ${countText(most)} characters`;
      issues.push({ code: 'custom', message, input: value, params: { got: `${countText(value.length)} characters` } });
    } else if (value.includes('\0') || /\p{Cs}/u.test(value)) {
      issues.push({ code: 'custom', message: 'text without NUL and unpaired surrogates', input: value });
    }
  });
}

function identifier(schema: z.ZodString): z.ZodString {
  return schema.max(limits.identifier, `at most ${limits.identifier} characters`);
}

/** Uses one message for values of another type and for text that does not match. */
function saying(schema: z.ZodString, expected: string): z.ZodString {
  return schema.clone({ ...schema.def, error: () => expected });
}

function integerFrom(minimum: number) {
  const expected = `an integer of at least ${minimum}`;
  // Adding 0 turns JSON's -0 into 0, which is equal but prints differently.
  return z
    .int(expected)
    .min(minimum, expected)
    .overwrite((value) => value + 0);
}

function instantField(expected: string, accepts: (text: string) => boolean) {
  const written = z.string(expected).meta({ format: 'date-time', maxLength: limits.instant });
  return written.transform((text, context) => {
    const canonical = text.length <= limits.instant && accepts(text) ? canonicalInstant(text) : null;
    if (canonical !== null) return canonical;
    context.addIssue({ code: 'custom', message: expected });
    return z.NEVER;
  });
}
