import { countText } from '../files/failure.ts';
import type { Fault, Faults } from '../files/faults.ts';
import { columnsOfRule } from './recipe/provisional.ts';
import { type Part, partRule, parts, type Recipe, type Rule } from './recipe/recipe.ts';

/** A change of a recipe that may remove faults. `text` tells a person what to change. */
type Change = { readonly text: string; readonly recipe: Recipe };

export type Advice = { readonly text: string; readonly before: number; readonly after: number };

type Place = { readonly part: Part; readonly field: string; readonly rule: Rule; readonly role: string };

/** Changes that at least halve the faults of rows, each tried on the files. `count` counts a recipe's faults. */
export async function triedAdvice(
  recipe: Recipe,
  faults: Faults,
  namesOf: (role: string) => readonly string[],
  count: (recipe: Recipe) => Promise<number>,
): Promise<Advice[]> {
  const found: Advice[] = [];
  let [kept, before] = [recipe, faults.of('rows').total];
  for (const alternatives of changesFor(recipe, faults, namesOf).slice(0, mostTried)) {
    const tried: (Change & { readonly after: number })[] = [];
    for (const change of alternatives.map((make) => make(kept)))
      tried.push({ ...change, after: await count(change.recipe) });
    const [best, second] = tried.sort((a, b) => a.after - b.after);
    // If two changes help equally, only a person can tell which is right.
    if (best === undefined || best.after > before / 2 || best.after === second?.after) continue;
    found.push({ text: best.text, before, after: best.after });
    [kept, before] = [best.recipe, best.after];
  }
  return found;
}

const mostUnknown = 20;

/** At most this many changes are tried, because each trial is an import of its own. */
const mostTried = 4;

export function adviceLine({ text, before, after }: Advice): string {
  return `${text}: tried, and it leaves ${after === 0 ? 'none' : countText(after)} of the ${countText(before)} faults of rows`;
}

type MakeChange = (recipe: Recipe) => Change;

function changesFor(recipe: Recipe, faults: Faults, namesOf: (role: string) => readonly string[]): MakeChange[][] {
  const changes = new Map<string, MakeChange[]>();
  const words = new Map<string, string[]>();
  for (const fault of faults.first()) {
    const place = placeOf(fault, recipe, namesOf);
    if (place === null) continue;
    const text = /^'(.*)'$/s.exec(fault.got)?.[1] ?? '';
    const signs = signsOf(fault);
    if (signs.length > 0 && !changes.has(`signs of ${place.role}`))
      changes.set(
        `signs of ${place.role}`,
        signs.map((sign) => (given) => withDecimal(given, place.role, sign)),
      );
    if (/^a (?:price|size) /.test(fault.expected) && /\p{L}|^-+$/u.test(text) && !/\d/.test(text)) {
      const own = words.get(place.field) ?? [];
      words.set(place.field, [...own, text]);
      const all = words.get(place.field) ?? [];
      // A single word is more likely a mistake than a word that stands for nothing.
      if (all.length > 2) changes.set(`words of ${place.field}`, [(given) => withoutWords(given, place, new Set(all))]);
    }
    // A few unknown products were probably delisted. Many unknown products have codes of another kind.
    if (fault.expected.startsWith('a product of this import') && faults.of('rows').total <= mostUnknown)
      changes.set('unknown', [withoutUnknown]);
  }
  return [...changes.values()];
}

function signsOf({ expected, got }: Fault): (',' | '.')[] {
  if (/unless "decimal" says/.test(expected)) return [',', '.'];
  return /^a (?:price|size|number|whole number|decimal number)/.test(expected) && /\d,\d/.test(got) ? [','] : [];
}

function placeOf(fault: Fault, recipe: Recipe, namesOf: (role: string) => readonly string[]): Place | null {
  for (const part of parts) {
    const rule = partRule(recipe, part);
    if (rule === undefined) continue;
    const joined = rule.joins?.find(({ file }) => namesOf(file).includes(fault.file))?.file;
    if (joined === undefined && !namesOf(rule.from).includes(fault.file)) continue;
    for (const [field, written] of Object.entries(rule.fields))
      if (columnsOfRule(written).join(' + ') === (joined === undefined ? fault.field : `${joined}.${fault.field}`))
        return { part, field, rule: typeof written === 'string' ? { column: written } : written, role: rule.from };
  }
  return null;
}

function withDecimal(recipe: Recipe, role: string, decimal: ',' | '.'): Change {
  const file = recipe.files[role];
  const files = file === undefined ? recipe.files : { ...recipe.files, [role]: { ...file, decimal } };
  return { text: `"decimal": "${decimal}" in files.${role}`, recipe: { ...recipe, files } };
}

function withoutWords(recipe: Recipe, { part, field, rule }: Place, words: ReadonlySet<string>): Change {
  const null_when = [...(rule.null_when ?? []), ...words];
  const changed = structuredClone(recipe);
  const fields = partRule(changed, part)?.fields;
  if (fields !== undefined) fields[field] = { ...rule, null_when };
  return {
    text: `"null_when": ${JSON.stringify(null_when)} in ${part}.fields.${field}, if they mean none`,
    recipe: changed,
  };
}

function withoutUnknown(recipe: Recipe): Change {
  const rule = { not_in: 'products' as const, reason: 'not in the list of products' };
  const { inventory } = recipe;
  const leave_out = [...(inventory?.leave_out ?? []), rule];
  return {
    text: `${JSON.stringify(rule)} in inventory.leave_out`,
    recipe: inventory === undefined ? recipe : { ...recipe, inventory: { ...inventory, leave_out } },
  };
}
