import { productFacts } from '../../../contract/product-facts.ts';
import type { CodeKind, Profile } from '../../../contract/profile.ts';
import type { Faults } from '../../files/faults.ts';
import { isZone } from '../../snapshot/time-zones.ts';
import { type FileRule, type Part, type Rule, targets } from '../recipe/recipe.ts';
import type { Row, Table } from '../tables/table.ts';
import { saysOffset, saysYear } from './conversions.ts';
import { otherCurrencyIn } from './currency-words.ts';
import { dayNumber, type FieldReader, faulty, fieldReader, type Lookups, type OnFault } from './field-reader.ts';

export type OnRecipeFault = (place: string, expected: string, got: string) => void;

type Fields = Readonly<Record<string, string | Rule>>;

type FieldsContext = {
  readonly lookups: Lookups;
  readonly publishedAt: string | null;
  readonly profile: Profile;
  readonly recipeFault: OnRecipeFault;
  readonly nameCodes: Map<string, string>;
  readonly notices: Faults;
};

export type PartFields = ReturnType<typeof partFields>;

/**
 * Makes the readers of a part's fields. Rules that cannot work are reported, and their fields have no reader. `file`:
 * the rule of the files with the rows. `derived`: fields that this part gets in another way.
 */
export function partFields(
  part: Part,
  fields: Fields,
  { decimal, nothing, entities, encoding }: FileRule,
  { lookups, publishedAt, profile, nameCodes, notices, recipeFault: onFault }: FieldsContext,
  derived: readonly string[] = [],
) {
  const all = targets[part];
  const readers = new Map<string, FieldReader>();
  for (const [field, written] of Object.entries(fields)) {
    const place = `${part}.fields.${field}`;
    const target = all.find((one) => one.field === field);
    if (target === undefined) {
      onFault(place, `one of ${all.map((one) => one.field).join(', ')}`, `'${field}'`);
      continue;
    }
    if (productFacts.some((fact) => fact === field && !profile.product_facts.includes(fact)))
      onFault(place, 'a fact of snapshot.profile.product_facts', `'${field}'`);
    const rule = typeof written === 'string' ? { column: written } : written;
    const lookup = lookups.of(place, rule.lookup);
    if (lookup === undefined) onFault(`${place}.lookup`, 'a name in lookups', `'${rule.lookup}'`);
    const isSound = checkRule(place, rule, derived.includes(field), onFault);
    if (!isSound || lookup === undefined) continue;
    const codeKind = codeKinds[field] ?? null;
    const style = {
      ...{ decimal, nothing, entities, encoding },
      profile,
      codeKind,
      publishedAt: target.isPlanned ? null : publishedAt,
      nameCodes,
      notices,
    };
    const reader = fieldReader(rule, target.as, lookup, style);
    readers.set(field, reader);
    for (const column of (rule.as ?? target.as) === 'price' ? reader.columns : []) {
      const other = otherCurrencyIn(column, profile.currency);
      if (other !== null)
        onFault(place, `a column of amounts in ${profile.currency}`, `'${column}', which names ${other}`);
    }
  }
  const missing = all.filter(
    (one) => one.fallback === undefined && !(one.field in fields) && !derived.includes(one.field),
  );
  for (const { field, meaning } of missing) onFault(`${part}.fields`, `a rule for ${field} (${meaning})`, 'none');

  return {
    columns: [...readers.values()].flatMap(({ columns }) => columns),
    /** The length to which codes are padded, by column. */
    pads: new Map(
      [...readers.values()].flatMap(({ rule: { column, pad } }) =>
        column === undefined || pad === undefined ? [] : [[column, pad] as const],
      ),
    ),
    has: (field: string) => readers.has(field),
    reader: (field: string) => readers.get(field),
    /** The columns of a field, as messages name them. */
    placeOf: (field: string) => readers.get(field)?.columns.join(' + ') || field,
    read(field: string, row: Row, table: Table, onFault: OnFault): unknown {
      const value = readers.get(field)?.read(row, table, onFault) ?? null;
      return value ?? all.find((one) => one.field === field)?.fallback ?? null;
    },
    /** The fields of a row that is set aside. The fault replaces unreadable values. */
    readFaulty(row: Row, table: Table, fault: { readonly fault: string }): Record<string, unknown> {
      const values: Record<string, unknown> = {};
      for (const { field, fallback } of all) {
        const value = readers.get(field)?.read(row, table, () => {}) ?? null;
        put(values, field, value === faulty ? fault : (value ?? fallback ?? null));
      }
      return values;
    },
    /** Dotted fields become inner objects. Null if one is faulty. `oddIn`: gets faults of fields that become null. */
    readAll(
      row: Row,
      table: Table,
      onFault: OnFault,
      oddIn: (field: string) => OnFault | undefined,
    ): Record<string, unknown> | null {
      const values: Record<string, unknown> = {};
      let isFaulty = false;
      for (const { field, fallback } of all) {
        const onOdd = readers.has(field) ? oddIn(field) : undefined;
        const value = readers.get(field)?.read(row, table, onOdd ?? onFault) ?? null;
        if (value === faulty && onOdd === undefined) isFaulty = true;
        put(values, field, (value === faulty ? null : value) ?? fallback ?? null);
      }
      return isFaulty ? null : values;
    },
  };
}

const codeKinds: Readonly<Record<string, CodeKind>> = {
  sku: 'sku',
  store: 'store_code',
  inventory_store_code: 'store_code',
};

function put(values: Record<string, unknown>, field: string, value: unknown): void {
  const [outer = field, inner] = field.split('.');
  if (inner === undefined) values[outer] = value;
  else values[outer] = { ...(values[outer] as object | undefined), [inner]: value };
}

function checkRule(place: string, rule: Rule, isWithoutColumn: boolean, onFault: OnRecipeFault): boolean {
  const { column, join, value, zone, format } = rule;
  const sources = [column, join, value].filter((source) => source !== undefined).length;
  if (sources !== 1 && !(isWithoutColumn && sources === 0)) {
    onFault(place, 'one of column, join and value', sources === 0 ? 'none' : `${sources} of them`);
    return false;
  }
  if (zone !== undefined && !isZone(zone)) {
    onFault(`${place}.zone`, 'a time zone like America/Denver', `'${zone}'`);
    return false;
  }
  if (format !== undefined && zone === undefined && !saysOffset(format)) {
    onFault(place, 'a zone with the format', 'none');
    return false;
  }
  if (format !== undefined && format !== dayNumber && !saysYear(format)) {
    onFault(`${place}.format`, 'a format with the year, such as yyyy, because no clock is asked', `'${format}'`);
    return false;
  }
  return true;
}
