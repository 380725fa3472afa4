import * as z from 'zod';
import { majorUnit, type Profile } from '../profile.ts';
import { text } from '../schemas/primitives.ts';

/** The version of the columns. Raise it when a column of exports or tables changes its meaning. */
export const exportSchemaVersion = 1;

/**
 * A column of a table: its description in the header's `fields`, the schema of its values, and a function from the
 * source of a record to its value. Add a column by adding one of these.
 */
export type Column<Source = never> = {
  readonly type: ProfiledText;
  readonly unit: ProfiledText | null;
  readonly meaning: ProfiledText;
  readonly schema: z.ZodType;
  readonly of: (source: Source) => unknown;
  /** Default: all sites. */
  readonly when?: (profile: Profile) => boolean;
};

/** A text that is the same in every site, or that depends on the site's profile. */
export type ProfiledText = string | ((profile: Profile) => string);

export function textFor(profile: Profile, wording: ProfiledText): string {
  return typeof wording === 'string' ? wording : wording(profile);
}

/** The columns of a table by name, in order. */
export type Columns<Source = never> = Readonly<Record<string, Column<Source>>>;

/** Makes a column. Its type ends with `or null` if the schema is nullable. */
export function column<Source, Schema extends z.ZodType>(
  schema: Schema,
  meaning: ProfiledText,
  of: (source: Source) => z.infer<Schema>,
  unit: ProfiledText | null = null,
) {
  return { type: typeName(schema) as ProfiledText, unit, meaning, schema, of };
}

function typeName(schema: z.ZodType): string {
  if (schema instanceof z.ZodNullable) return `${typeName(schema.unwrap() as z.ZodType)} or null`;
  if (schema instanceof z.ZodStringFormat && schema.format === 'uuid') return 'uuid';
  if (schema instanceof z.ZodISODateTime) return 'date-time';
  if (schema instanceof z.ZodNumber) return schema.isInt ? 'integer' : 'number';
  if (schema instanceof z.ZodArray) return 'array of string';
  if (schema instanceof z.ZodObject) return 'object';
  const isBoolean = schema instanceof z.ZodBoolean || (schema instanceof z.ZodLiteral && schema.value === false);
  return isBoolean ? 'boolean' : 'string';
}

/** Makes a column from a path such as `price.amount_minor`. Null where a part of the path is null or absent. */
export function columnMaker<Source extends z.ZodType>(source: Source) {
  return <const Path extends string>(path: Path, meaning: ProfiledText, unit: ProfiledText | null = null) => {
    const keys = path.split('.');
    const schema = schemaAt(source, keys) as z.ZodType<ValueAt<z.infer<Source>, Path>>;
    const of = (value: z.infer<Source>) => {
      let at: unknown = value;
      for (const key of keys) at = (at as Record<string, unknown> | null | undefined)?.[key];
      return (at ?? null) as ValueAt<z.infer<Source>, Path>;
    };
    return column(schema, meaning, of, unit);
  };
}

type ValueAt<Value, Path extends string> = Path extends `${infer Key}.${infer Rest}`
  ? ValueAt<MemberOf<Value, Key>, Rest>
  : MemberOf<Value, Path>;

type MemberOf<Value, Key> = Value extends object
  ? Key extends keyof Value
    ? Exclude<Value[Key], undefined> | (undefined extends Value[Key] ? null : never)
    : never
  : null;

export function orNull(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodNullable ? schema : schema.nullable();
}

function schemaAt(schema: z.ZodType, path: readonly string[]): z.ZodType {
  const isOrNull = schema instanceof z.ZodNullable || schema instanceof z.ZodOptional;
  if (isOrNull) return orNull(schemaAt(schema.unwrap() as z.ZodType, path));
  const [key, ...rest] = path;
  if (key === undefined) return schema;
  const member = schema instanceof z.ZodObject ? schema.shape[key] : undefined;
  if (member === undefined) throw new Error(`a schema has no member ${key}`);
  return schemaAt(member, rest);
}

type Schemas<Table extends Columns> = { [Name in keyof Table]: Table[Name]['schema'] };

export function recordSchema<Type extends string, Table extends Columns>(type: Type, columns: Table) {
  const schemas = Object.fromEntries(
    Object.entries(columns).map(([name, { schema, when }]) => [name, when ? schema.optional() : schema]),
  );
  return z.strictObject({ record_type: z.literal(type), ...(schemas as Schemas<Table>) });
}

export function columnsIn<Source>(profile: Profile, columns: Columns<Source>): [name: string, Column<Source>][] {
  return Object.entries(columns).filter(([, { when }]) => when?.(profile) ?? true);
}

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

/** Describes columns as the `fields` of a header do. */
export function describe(columns: Columns, profile: Profile): ExportFields {
  return columnsIn(profile, columns).map(([name, { type, unit, meaning }]) => ({
    name,
    type: textFor(profile, type),
    unit: unit && textFor(profile, unit),
    meaning: textFor(profile, meaning),
  }));
}

export function inMajorUnit<Source>(prices: Column<Source>): Column<Source> {
  return { ...prices, type: 'decimal or null', unit: majorUnit };
}

export function insertedAfter<Source>(columns: Columns<Source>, name: string, more: Columns<Source>): Columns<Source> {
  const entries = Object.entries(columns);
  const at = entries.findIndex(([other]) => other === name) + 1;
  return Object.fromEntries([...entries.slice(0, at), ...Object.entries(more), ...entries.slice(at)]);
}
