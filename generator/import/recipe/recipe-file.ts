import { basename } from 'node:path';
import { cut, explainIssues, type ValueFault } from '../../../contract/checked-value.ts';
import { Faults, FaultyInput } from '../../files/faults.ts';
import { readRegularFile } from '../../files/regular-file.ts';
import { parseWithin } from '../../snapshot/json.ts';
import { limits } from '../../snapshot/limits.ts';
import { fileFailure } from '../tables/input.ts';
import { repeatedKey } from '../tables/json-rows.ts';
import { isUndecided, type Recipe, recipe, undecided } from './recipe.ts';

const mostBytes = 16 * 1024 * 1024;

/** Reads a recipe. Throws a FaultyInput that names everything that is wrong with it. */
export function readRecipe(path: string): Recipe {
  const value = readJson(path);
  const name = basename(path);
  const refuse = (faults: readonly ValueFault[]) =>
    faultyImport(name, new Faults(faults.map((fault) => ({ file: name, line: null, ...fault }))));
  const open = undecidedPlaces(value, []).map(([field, mark]) => ({
    field,
    expected: 'a decision',
    got: `'${cut(mark)}'`,
  }));
  const checked = recipe.safeParse(value);
  if (checked.success && open.length === 0) return checked.data;
  const issues = checked.success ? [] : explainIssues(checked.error.issues, value, 'a key that a recipe has here');
  // What is to be decided matches no schema, wherever that says so.
  throw refuse([...open, ...issues.filter((issue) => !issue.got.includes(undecided))]);
}

/** The error of an import that wrote nothing, with every fault. */
export function faultyImport(recipe: string, faults: Faults): FaultyInput {
  return new FaultyInput('import_faults', recipe, `${recipe}: nothing was written`, faults, { recipe });
}

/** Where a drafted recipe still waits for a decision of a person. */
function undecidedPlaces(value: unknown, path: readonly string[]): [place: string, mark: string][] {
  if (isUndecided(value)) return [[path.join('.'), value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => undecidedPlaces(inner, [...path, key]));
}

/** Reads a JSON file that a person wrote. */
export function readJson(path: string): unknown {
  const text = readRegularFile(path, 'a file', mostBytes)
    .toString()
    .replace(/^\uFEFF/, '');
  const { value, fault } = parseWithin(text, 'JSON', limits.documentValues);
  if (fault !== null) throw fileFailure(path, fault.expected, fault.got);
  const repeated = repeatedKey(text);
  if (repeated !== null) throw fileFailure(path, 'JSON', `the key '${repeated}' twice in an object`);
  return value;
}
