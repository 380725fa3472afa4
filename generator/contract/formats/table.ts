import * as z from 'zod';
import { text } from '../primitives.ts';
import type { Profile } from '../profile.ts';

/** The version of the records of exports and tables. Raised when a column changes its meaning. */
export const exportSchemaVersion = 1;

/**
 * A column of a table: its description in the header's `fields`, the schema of its values, and its value, made of what a
 * record is made of. Someone who adds a column adds one of these.
 */
export type Column<Source = never> = {
  readonly type: Said;
  readonly unit: Said | null;
  readonly meaning: Said;
  readonly schema: z.ZodType;
  readonly of: (source: Source) => unknown;
  /** The sites that have the column. Without it, all. */
  readonly when?: (profile: Profile) => boolean;
};

/** What a column says of itself, in every site or by its profile. */
export type Said = string | ((profile: Profile) => string);

/** What a column says in the site of a profile. */
export function saidIn(profile: Profile, said: Said): string {
  return typeof said === 'string' ? said : said(profile);
}

/** The columns of a table, in their order. */
export type Columns<Source = never> = Readonly<Record<string, Column<Source>>>;

/** Makes columns of records that are made of a `Source`. A type says `or null` where the schema is nullable. */
export function columnOf<Source>() {
  return <Schema extends z.ZodType>(
    type: Said,
    schema: Schema,
    meaning: Said,
    of: (source: Source) => z.infer<Schema>,
    unit: Said | null = null,
  ) => ({
    type: typeof type === 'string' && schema instanceof z.ZodNullable ? `${type} or null` : type,
    unit,
    meaning,
    schema,
    of,
  });
}

type Schemas<Table extends Columns> = { [Name in keyof Table]: Table[Name]['schema'] };

/** The schema of the records of a table. */
export function recordOf<Type extends string, Table extends Columns>(type: Type, columns: Table) {
  const schemas = Object.fromEntries(
    Object.entries(columns).map(([name, { schema, when }]) => [name, when ? schema.optional() : schema]),
  );
  return z.strictObject({ record_type: z.literal(type), ...(schemas as Schemas<Table>) });
}

/** The columns that the site of a profile has. */
export function columnsIn<Source>(profile: Profile, columns: Columns<Source>): [name: string, Column<Source>][] {
  return Object.entries(columns).filter(([, { when }]) => when?.(profile) ?? true);
}

/** A function that makes the record of a source. */
export function recordMaker<Source>(type: string, columns: readonly [name: string, Column<Source>][]) {
  const entries = columns.map(([name, { of }]) => [name, of] as const);
  return (source: Source): Record<string, unknown> => {
    const record: Record<string, unknown> = { record_type: type };
    for (const [name, of] of entries) record[name] = of(source);
    return record;
  };
}

export const exportFieldDescription = z.strictObject({
  name: text,
  type: text,
  unit: z.string().nullable(),
  meaning: text,
});

export type ExportFields = z.infer<typeof exportFieldDescription>[];

/** Columns with type, unit and meaning, as a header's `fields` has them. */
export function describe(columns: Columns, profile: Profile): ExportFields {
  return columnsIn(profile, columns).map(([name, { type, unit, meaning }]) => ({
    name,
    type: saidIn(profile, type),
    unit: unit && saidIn(profile, unit),
    meaning: saidIn(profile, meaning),
  }));
}
