import { basename } from 'node:path';
import type * as z from 'zod';
import { readRegularFile } from '../../files/regular-file.ts';
import { parseJson } from '../../snapshot/json.ts';
import { limits } from '../../snapshot/limits.ts';
import { problemsOf, rendering } from '../../snapshot/problem.ts';
import { Faults, ImportError } from '../faults.ts';
import { fileFailure } from '../tables/input.ts';
import { repeatedKey } from '../tables/json-rows.ts';
import { type Recipe, recipe, undecided } from './recipe.ts';

const mostBytes = 16 * 1024 * 1024;

/** Reads a recipe. Throws an ImportError that names everything that is no part of a recipe. */
export function readRecipe(path: string): Recipe {
  const value = readJson(path);
  const faults = new Faults();
  const place = { file: basename(path), unit: 'row' as const, row: null };
  for (const column of undecidedPlaces(value, [])) faults.add({ ...place, column }, 'a decision', `'${undecided}'`);
  if (faults.total > 0) throw new ImportError(basename(path), faults);
  const checked = recipe.safeParse(value);
  if (checked.success) return checked.data;
  for (const { field, expected, got } of documentFaults(checked.error, value, 'a key that a recipe has here'))
    faults.add({ ...place, column: field }, expected, got);
  throw new ImportError(basename(path), faults);
}

/** Where a drafted recipe still has the mark for a person to decide. */
function undecidedPlaces(value: unknown, path: readonly string[]): string[] {
  if (value === undecided) return [path.join('.')];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => undecidedPlaces(inner, [...path, key]));
}

/** Reads a file of JSON that the recipe names, or the recipe itself. */
export function readJson(path: string): unknown {
  const text = readRegularFile(path, 'a file', mostBytes)
    .toString()
    .replace(/^\uFEFF/, '');
  const { value, fault } = parseJson(text, 'JSON', limits.documentValues);
  if (fault !== null) throw fileFailure(path, fault.expected, fault.got);
  const repeated = repeatedKey(text);
  if (repeated !== null) throw fileFailure(path, 'JSON', `the key '${repeated}' twice in an object`);
  return value;
}

type Issue = z.core.$ZodIssue;

/** The faults of a document that a person wrote. `knownKey` is what is expected in place of a key that has no meaning. */
export function documentFaults(error: z.ZodError, value: unknown, knownKey: string): ReturnType<typeof problemsOf> {
  return error.issues.flatMap((issue) => explained(issue, value, knownKey));
}

/** The faults of an issue. Unknown keys are named one by one, also those in one of several forms of a rule. */
function explained(issue: Issue, value: unknown, knownKey: string): ReturnType<typeof problemsOf> {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.flatMap((key) => {
      const params = { got: rendering(key) };
      const path = [...issue.path, key];
      return explained({ code: 'custom', message: knownKey, path, params, input: key }, value, knownKey);
    });
  }
  const inner = issue.code === 'invalid_union' ? bestForm(issue) : null;
  if (inner !== null)
    return inner.flatMap((one) => explained({ ...one, path: [...issue.path, ...one.path] } as Issue, value, knownKey));
  return problemsOf({ issues: [issue] } as unknown as z.ZodError, value);
}

/** The issues of the form that the value most likely means: one of the same type, with the fewest issues. */
function bestForm(issue: z.core.$ZodIssueInvalidUnion): Issue[] | null {
  const ofType = issue.errors.filter(
    (form) =>
      !form.some(({ code, path }) => path.length === 0 && (code === 'invalid_type' || code === 'invalid_value')),
  );
  const [best] = ofType.sort((a, b) => a.length - b.length);
  return best === undefined || best.length === 0 ? null : (best as Issue[]);
}
