import { basename } from 'node:path';
import { cut, explainIssues } from '../../../contract/schemas/checked-value.ts';
import { countOf } from '../../files/failure.ts';
import { type Fault, Faults, FaultyInput } from '../../files/faults.ts';
import { readRegularFile } from '../../files/regular-file.ts';
import { parseWithin } from '../../snapshot/json-file.ts';
import { limits } from '../../snapshot/limits.ts';
import { type Advice, adviceLine } from '../advice.ts';
import { fileFailure } from '../tables/input.ts';
import { repeatedKey } from '../tables/json-rows.ts';
import { provisionalRecipe } from './provisional.ts';
import { isUndecided, type Recipe, recipe, undecided } from './recipe.ts';

const mostBytes = 16 * 1024 * 1024;

/** `decisions`: places where a person must still decide. `recipe` has stand-ins there. */
type TriedRecipe = { readonly recipe: Recipe; readonly decisions: readonly Fault[] };

/** Reads a recipe in which decisions may still be open. Throws a FaultyInput that names all else that is wrong. */
export function readTriedRecipe(path: string): TriedRecipe {
  const value = readJson(path);
  const file = basename(path);
  const marks = undecidedPlaces(value, []);
  const decisions = [...Map.groupBy(marks, ([place]) => decisionAt(place))].map(([field, [first, ...others]]) => {
    const words = others.length === 0 ? '' : `, and for ${countOf(others.length, 'more word')}`;
    return { file, line: null, field, expected: 'a decision', got: `'${cut(first?.[1] ?? '')}'${words}` };
  });
  const open = marks.map(([place]) => place);
  const checked = recipe.safeParse(marks.length === 0 ? value : provisionalRecipe(value, open));
  if (checked.success) return { recipe: checked.data, decisions };
  // Undecided values match no schema. They are reported as decisions, not as other faults.
  const written = recipe.safeParse(value);
  const issues = written.success ? [] : explainIssues(written.error.issues, value, 'a key that a recipe has here');
  const faults = issues
    .filter((issue) => !issue.got.includes(undecided))
    .map((issue) => ({ file, line: null, ...issue }));
  throw faultyImport(file, new Faults([...decisions, ...faults]));
}

/** A decision's place as messages name it. The words of a lookup are one decision. */
function decisionAt(place: readonly string[]): string {
  const at = place.indexOf('lookup');
  return place.slice(0, at === -1 ? undefined : at + 1).join('.');
}

/** The recipe that a value is; null if it is none. */
export function parsedRecipe(value: unknown): Recipe | null {
  return recipe.safeParse(value).data ?? null;
}

/** The error of an import that wrote nothing, with every fault and the changes that were tried. */
export function faultyImport(recipe: string, faults: Faults, advice: readonly Advice[] = []): FaultyInput {
  const facts = { recipe, ...(advice.length > 0 ? { advice } : {}) };
  return new FaultyInput(
    'import_faults',
    recipe,
    `${recipe}: nothing was written`,
    faults,
    facts,
    advice.map(adviceLine),
  );
}

function undecidedPlaces(value: unknown, path: readonly string[]): [place: readonly string[], mark: string][] {
  if (isUndecided(value)) return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => undecidedPlaces(inner, [...path, key]));
}

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
