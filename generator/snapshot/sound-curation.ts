import * as z from 'zod';
import { explainIssues, parsedValue, shown, type ValueFault } from '../../contract/schemas/checked-value.ts';
import { jsonStart } from '../../contract/text.ts';
import { listUpTo } from './fields.ts';
import type { Curation, CurationCategory, PartSchemas } from './format.ts';
import { limits } from './limits.ts';
import type { OnBad } from './row-faults.ts';

/** The top level of curation.json. Its entries are still unchecked. */
export const uncheckedCuration = z.object({
  about: z.unknown().optional(),
  categories: listUpTo(limits.categories, z.unknown()),
  brands: listUpTo(limits.brands, z.unknown()),
  families: listUpTo(limits.families, z.unknown()),
  products: listUpTo(limits.products, z.unknown()),
  sku_history: listUpTo(limits.formerSkus, z.unknown()),
});
type UncheckedCuration = z.infer<typeof uncheckedCuration>;

/**
 * Keeps the entries that refer only to sound entries. Faults of `about` go to `refuse`: terms of use must not get lost.
 */
export function soundCuration(
  unchecked: UncheckedCuration,
  onBad: OnBad,
  refuse: (fault: ValueFault) => void,
  { curation: { shape } }: PartSchemas,
): Curation {
  const about = shape.about.safeParse(unchecked.about);
  if (!about.success) {
    for (const { field, ...said } of explainIssues(about.error.issues, unchecked.about))
      refuse({ field: innerField('about', field), ...said });
  }
  const source = (list: Exclude<keyof UncheckedCuration, 'about'>) => ({ list, values: unchecked[list], onBad });

  const categories = entryList(source('categories'), shape.categories.element);
  categories.siftRepeats('id', ({ id }) => id);
  siftTree(categories);

  const brands = entryList(source('brands'), shape.brands.element);
  brands.siftRepeats('slug', ({ slug }) => slug);
  const brandSlugs = new Set(brands.entries().map(({ slug }) => slug));

  const families = entryList(source('families'), shape.families.element);
  families.siftRepeats('slug', ({ slug }) => slug);
  families.sift(({ brand }) => missing('brand', 'brands', brand, brandSlugs));
  const brandOfFamily = new Map(families.entries().map(({ slug, brand }) => [slug, brand]));

  const products = entryList(source('products'), shape.products.element);
  products.siftRepeats('sku', ({ sku }) => sku);
  products.sift(({ brand }) => missing('brand', 'brands', brand, brandSlugs));
  products.sift(({ family }) => missing('family', 'families', family, brandOfFamily));
  products.sift(({ brand, family }) => otherBrand(brand, family, brandOfFamily));

  const history = entryList(source('sku_history'), shape.sku_history.element);
  history.siftRepeats(null, ({ former_sku, sku }) => `${former_sku} of ${sku}`);
  history.sift(({ former_sku, sku }) => sameSku(former_sku, sku));

  return {
    about: about.data ?? null,
    categories: categories.entries(),
    brands: brands.entries(),
    families: families.entries(),
    products: products.entries(),
    sku_history: history.entries(),
  };
}

/** Leaves out categories in or under a cycle, and those under a missing category. */
function siftTree(categories: ReturnType<typeof entryList<CurationCategory>>): void {
  const parents = new Map(categories.entries().map(({ id, parent_id }) => [id, parent_id]));
  const children = Map.groupBy(categories.entries(), ({ parent_id }) => parent_id ?? '');
  const sound = new Set(children.get('')?.map(({ id }) => id));
  for (const id of sound) for (const child of children.get(id) ?? []) sound.add(child.id);
  categories.sift(({ id, parent_id }) => {
    if (sound.has(id)) return null;
    const got = shown(parent_id);
    if (parent_id !== null && !parents.has(parent_id)) return fault('parent_id', 'one of the categories', got);
    if (isInCycle(id, parents)) return fault('parent_id', 'a category that is not below this one', got);
    return fault('parent_id', 'one of the sound categories', got);
  });
}

function isInCycle(start: string, parents: ReadonlyMap<string, string | null>): boolean {
  const seen = new Set<string>();
  for (let id = parents.get(start); id !== null && id !== undefined && !seen.has(id); id = parents.get(id)) {
    if (id === start) return true;
    seen.add(id);
  }
  return false;
}

function missing(
  field: string,
  list: string,
  key: string | null,
  known: { has(key: string): boolean },
): ValueFault | null {
  return key === null || known.has(key) ? null : fault(field, `one of the ${list}`, shown(key));
}

function otherBrand(
  brand: string | null,
  family: string | null,
  brandOfFamily: ReadonlyMap<string, string>,
): ValueFault | null {
  const owner = family === null ? undefined : brandOfFamily.get(family);
  if (brand === null || owner === undefined || owner === brand) return null;
  return fault('family', `a family of brand ${brand}`, `${shown(family)}, which belongs to brand ${owner}`);
}

function sameSku(formerSku: string, sku: string): ValueFault | null {
  return formerSku === sku ? fault('former_sku', 'another sku than the product has', shown(formerSku)) : null;
}

function fault(field: string, expected: string, got: string): ValueFault {
  return { field, expected, got };
}

/** A list such as `brands` of `curation.json`, and the callback for bad entries. */
export type EntrySource = { list: string; values: readonly unknown[]; onBad: OnBad };

/** Reports each faulty entry of an array once and leaves it out, so that the others can be used. */
export function entryList<Entry>({ list, values, onBad }: EntrySource, schema: z.ZodType<Entry>) {
  const sound = new Map<number, Entry>();
  const leaveOut = (index: number, faults: readonly ValueFault[]) => {
    sound.delete(index);
    const place = `${list}[${index}]`;
    onBad(
      { line: null, text: jsonStart(values[index], limits.setAsideText) },
      faults.map(({ field, ...said }) => ({ field: innerField(place, field), ...said })),
    );
  };
  for (const [index, value] of values.entries()) {
    const checked = parsedValue(schema, value);
    if (checked.success) sound.set(index, checked.data);
    else leaveOut(index, explainIssues(checked.error.issues, value));
  }

  function sift(faultOf: (entry: Entry, index: number) => ValueFault | null): void {
    for (const [index, entry] of sound) {
      const fault = faultOf(entry, index);
      if (fault !== null) leaveOut(index, [fault]);
    }
  }

  function siftRepeats(field: string | null, keyOf: (entry: Entry) => string): void {
    const first = new Map<string, number>();
    sift((entry, index) => {
      const key = keyOf(entry);
      const before = first.get(key) ?? index;
      first.set(key, before);
      if (before === index) return null;
      return { field, expected: 'a value of its own', got: `${shown(key)}, which ${list}[${before}] has too` };
    });
  }

  return { entries: () => [...sound.values()], sift, siftRepeats };
}

function innerField(place: string, field: string | null): string {
  if (field === null) return place;
  return field.startsWith('[') ? `${place}${field}` : `${place}.${field}`;
}
