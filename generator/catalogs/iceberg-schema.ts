import { describeTable, type TableColumn, type TableName, tableColumns } from '../../contract/columns/parquet.ts';
import type { Profile } from '../../contract/profile.ts';
import type { IcebergSchema } from '../../contract/schemas/iceberg.ts';
import type { IcebergTable } from '../../contract/vocabulary.ts';

/** Whether each publication adds rows and keeps the earlier ones. */
export function isGrowing(table: IcebergTable): boolean {
  return table === 'daily' || table === 'changes';
}

export function storedTable(table: IcebergTable): TableName {
  return table === 'changes' ? 'changes_history' : table;
}

const types = {
  uuid: 'string',
  'uuid bytes': 'uuid',
  string: 'string',
  integer: 'long',
  number: 'double',
  boolean: 'boolean',
  'date-time': 'timestamptz',
  object: 'string',
} as const satisfies Readonly<Record<Exclude<TableColumn['type'], 'decimal' | 'array of string'>, string>>;

/** A field's id is its place in the files. The elements of lists get the ids after them. */
export function icebergSchema(table: IcebergTable, profile: Profile): IcebergSchema {
  const columns = tableColumns(storedTable(table), profile);
  const meanings = describeTable(storedTable(table), profile);
  let lastId = columns.length;
  const typeOf = ({ type, scale }: TableColumn) => {
    if (type === 'decimal') return `decimal(18, ${scale})`;
    if (type !== 'array of string') return types[type];
    lastId += 1;
    return { type: 'list', 'element-id': lastId, element: 'string', 'element-required': true } as const;
  };
  const fields = columns.map((column, index) => ({
    id: index + 1,
    name: column.name,
    required: !column.isNullable,
    type: typeOf(column),
    doc: meanings[index]?.meaning ?? column.name,
  }));
  return { type: 'struct', 'schema-id': 0, fields };
}

/** The id of the last field, elements of lists included. */
export function lastFieldId({ fields }: IcebergSchema): number {
  return Math.max(...fields.map(({ id, type }) => (typeof type === 'string' ? id : type['element-id'])));
}

/** Maps field ids to column names, since the files carry no ids. */
export function nameMapping({ fields }: IcebergSchema): string {
  const mapped = fields.map(({ id, name, type }) => ({
    'field-id': id,
    names: [name],
    ...(typeof type === 'string' ? {} : { fields: [{ 'field-id': type['element-id'], names: ['element'] }] }),
  }));
  return JSON.stringify(mapped);
}
