import type * as z from 'zod';
import { type CodeKind, expectedCode, fixedDigits, type Profile } from '../../../contract/profile.ts';
import { explainIssues } from '../../../contract/schemas/checked-value.ts';
import type { Faults } from '../../files/faults.ts';
import type { PartSchemas } from '../../snapshot/format.ts';
import type { FileRule, Recipe } from '../recipe/recipe.ts';
import type { SnapshotWriter } from '../snapshot-writer.ts';
import type { InputFile, OnBytes } from '../tables/input.ts';
import { quoted, type Row, type Table } from '../tables/table.ts';
import type { Lookups } from '../values/field-reader.ts';
import type { OnRecipeFault, PartFields } from '../values/part-fields.ts';
import type { OddFacts } from './odd-facts.ts';
import type { ColumnUse } from './part-rows.ts';

export type RoleFiles = { readonly rule: FileRule; readonly files: readonly InputFile[] };

export type ImportContext = {
  readonly recipe: Recipe;
  /** The agency's profile, and the line schemas that follow from it. */
  readonly profile: Profile;
  readonly schemas: PartSchemas;
  readonly recipeName: string;
  readonly roles: ReadonlyMap<string, RoleFiles>;
  readonly lookups: Lookups;
  /** The names that codes were made from, by code. */
  readonly nameCodes: Map<string, string>;
  readonly faults: Faults;
  /** Reports a fault of the recipe at a place such as `products.fields.sku`. */
  readonly recipeFault: OnRecipeFault;
  /** Called for a column that the recipe names and a file lacks. That is also a fault. */
  readonly onMissing: (column: string) => void;
  /** Doubts about values that are imported. */
  readonly notices: Faults;
  readonly writer: SnapshotWriter;
  readonly options: ImportTimes;
  readonly isQuarantine: boolean;
  /** When the snapshot is published. Null if neither the recipe nor the command line says so; that is a fault. */
  readonly publishedAt: string | null;
  readonly onUse: (use: ColumnUse) => void;
  readonly onBytes: (file: InputFile) => OnBytes;
};

/** Times that change daily, from the command line. They override the recipe's times. */
export type ImportTimes = { readonly publishedAt: string | null; readonly retrievedAt: string | null };

/** A line as the snapshot's schema reads it, without odd facts; null if faulty. Faults name source columns. */
export function checkedLine<Line>(
  schema: z.ZodType<Line>,
  value: Record<string, unknown>,
  place: { readonly row: Row; readonly table: Table },
  fields: PartFields,
  { faults, odd, profile }: Pick<ImportContext, 'faults' | 'profile'> & { readonly odd: OddFacts },
): Line | null {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const issues = explainIssues(checked.error.issues, value);
  const oddFacts = issues.map(({ field }) => odd.factOf(field));
  for (const { field, expected, got } of issues) {
    const onFault = (field === null ? undefined : odd.in(field, place)) ?? faults.in(place.table, place.row);
    const code = field === null ? null : value[field];
    // The message has the same words as that for this code in an inventory, so that one faulty cell counts once.
    if (field !== null && kindOf(expected, profile) !== undefined)
      onFault(fields.placeOf(field), ...wrongCode(expected, code, profile));
    else onFault(field === null ? null : columnText(field, fields), expected, got === 'null' ? 'nothing' : got);
  }
  if (oddFacts.some((fact) => fact === undefined)) return null;
  return schema.parse({ ...value, ...Object.fromEntries(oddFacts.map((fact) => [fact, null])) });
}

function columnText(field: string, fields: PartFields): string {
  const name = [field, field.replace(/\[.*$/, '')].find((one) => fields.has(one));
  if (name === undefined) return field;
  const columns = fields.placeOf(name);
  return columns === name ? name : `${columns} (${name})`;
}

/** Adds a hint for codes that lost their zeros. */
export function wrongCode(expected: string, code: unknown, profile: Profile): [expected: string, got: string] {
  const kind = kindOf(expected, profile);
  const digits = kind === undefined ? null : fixedDigits(kind, profile);
  if (typeof code !== 'string' || code === '') return [expected, 'nothing'];
  const lacksZeros = digits !== null && /^\d+$/.test(code) && code.length < digits;
  return [lacksZeros ? `${expected} ("pad": ${digits} in the recipe adds lost zeros)` : expected, quoted(code)];
}

function kindOf(expected: string, profile: Profile): CodeKind | undefined {
  return (['sku', 'store_code'] as const).find((kind) => expected === expectedCode(kind, profile));
}
