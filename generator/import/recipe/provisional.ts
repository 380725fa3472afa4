import { type Part, parts, type Rule, targets } from './recipe.ts';

type Values = Record<string, unknown>;

/** Stand-ins for fields whose rules cannot be used, so that the other fields of a row can be read. */
const standIns: Readonly<Record<string, string>> = {
  price_source: 'agency_workbook',
  lifecycle: 'active',
  access_type: 'unknown',
  'address.region': 'UT',
  'address.postal_code': '84101',
};

/** Without these fields, a row of the part says nothing. */
const keys: Readonly<Record<Part, readonly string[]>> = {
  products: ['sku'],
  stores: [],
  inventory: ['sku', 'store', 'quantity'],
};

/**
 * Removes rules that are undecided or cannot work, so that everything else can be tried on the files. `places`: such as
 * `products.fields.lifecycle.value`. `missing`: columns that no file has. Nothing made with this recipe is kept.
 */
export function provisionalRecipe(
  recipe: unknown,
  places: readonly (readonly string[])[],
  missing: ReadonlySet<string> = new Set(),
): unknown {
  const changed = structuredClone(recipe) as Values;
  for (const place of places) standInFor(changed, place);
  for (const part of parts)
    for (const [field, rule] of Object.entries(fieldsOf(changed, part)))
      if (columnsOfRule(rule).some((column) => missing.has(column) || missing.has(column.replace(/^[^.]*\./, ''))))
        replaceRule(changed, part, field);
  return changed;
}

function fieldsOf(recipe: Values, part: Part): Values {
  return ((recipe[part] as { fields?: Values } | undefined)?.fields ?? {}) as Values;
}

export function columnsOfRule(rule: unknown): readonly string[] {
  if (typeof rule === 'string') return [rule];
  const { column, join } = rule as Rule;
  return [column ?? [], join?.columns ?? []].flat();
}

function standInFor(recipe: Values, place: readonly string[]): void {
  const [first, second] = place;
  const part = parts.find((one) => one === first);
  if (first === 'snapshot' && second === 'profile') standInForProfile(recipe, place);
  if (part === undefined) return;
  if (second === 'fields') {
    const rest = place.slice(2).join('.');
    const field = Object.keys(fieldsOf(recipe, part)).find((one) => rest === one || rest.startsWith(`${one}.`));
    // Codes that may lack zeros are still codes.
    if (field !== undefined && place.at(-1) === 'pad') delete (fieldsOf(recipe, part)[field] as Rule).pad;
    else if (field !== undefined) replaceRule(recipe, part, field);
    else
      for (const target of targets[part])
        if (!(target.field in fieldsOf(recipe, part))) replaceRule(recipe, part, target.field);
  } else if (second === undefined) delete recipe[part];
}

/** Replaces a rule by a constant if its field is required, and otherwise removes it. */
function replaceRule(recipe: Values, part: Part, field: string): void {
  const fields = fieldsOf(recipe, part);
  const isRequired = targets[part].some((target) => target.field === field && target.fallback === undefined);
  if (keys[part].includes(field)) delete recipe[part];
  else if (isRequired || field in standIns) fields[field] = { value: standIns[field] ?? 'to be decided' };
  else delete fields[field];
}

/** Values that depend on the currency, country or zone are not read without it. */
function standInForProfile(recipe: Values, [, , member = '', inner]: readonly string[]): void {
  const profile = (recipe as { snapshot: { profile: Values } }).snapshot.profile;
  const without = (conversions: readonly string[]) => {
    for (const part of parts)
      for (const [field, rule] of Object.entries(fieldsOf(recipe, part))) {
        const usual = targets[part].find((target) => target.field === field)?.as;
        if (conversions.includes((rule as Rule).as ?? usual ?? '')) replaceRule(recipe, part, field);
      }
  };
  if (member === 'currency') {
    profile.currency = 'USD';
    without(['price']);
  } else if (member === 'country') {
    profile.country = 'SE';
    without(['phone']);
  } else if (member === 'time_zone') profile.time_zone = 'UTC';
  else if (inner !== undefined) profile[member] = { pattern: '^[0-9A-Z-]{1,32}$', example: '1' };
}
