/*
 * The Avro schemas of manifests and manifest lists of Iceberg, version 2, as its specification has them: every field,
 * with its id, required or optional (https://iceberg.apache.org/spec/#manifests).
 */

const required = (id: number, name: string, type: unknown) => ({ name, type, 'field-id': id });
const optional = (id: number, name: string, type: unknown) => ({
  ...{ name, type: ['null', type], default: null },
  'field-id': id,
});
const record = (name: string, fields: readonly object[]) => ({ type: 'record', name, fields });
const list = (id: number, items: unknown) => ({ type: 'array', items, 'element-id': id });
const map = (key: number, value: number, type: string) => ({
  ...list(key, record(`k${key}_v${value}`, [required(key, 'key', 'int'), required(value, 'value', type)])),
  logicalType: 'map',
});

export const manifestEntry = record('manifest_entry', [
  required(0, 'status', 'int'),
  optional(1, 'snapshot_id', 'long'),
  optional(3, 'sequence_number', 'long'),
  optional(4, 'file_sequence_number', 'long'),
  required(
    2,
    'data_file',
    record('r2', [
      required(134, 'content', 'int'),
      required(100, 'file_path', 'string'),
      required(101, 'file_format', 'string'),
      required(102, 'partition', record('r102', [])),
      required(103, 'record_count', 'long'),
      required(104, 'file_size_in_bytes', 'long'),
      optional(108, 'column_sizes', map(117, 118, 'long')),
      optional(109, 'value_counts', map(119, 120, 'long')),
      optional(110, 'null_value_counts', map(121, 122, 'long')),
      optional(137, 'nan_value_counts', map(138, 139, 'long')),
      optional(125, 'lower_bounds', map(126, 127, 'bytes')),
      optional(128, 'upper_bounds', map(129, 130, 'bytes')),
      optional(131, 'key_metadata', 'bytes'),
      optional(132, 'split_offsets', list(133, 'long')),
      optional(135, 'equality_ids', list(136, 'int')),
      optional(140, 'sort_order_id', 'int'),
    ]),
  ),
]);

export const manifestFile = record('manifest_file', [
  required(500, 'manifest_path', 'string'),
  required(501, 'manifest_length', 'long'),
  required(502, 'partition_spec_id', 'int'),
  required(517, 'content', 'int'),
  required(515, 'sequence_number', 'long'),
  required(516, 'min_sequence_number', 'long'),
  required(503, 'added_snapshot_id', 'long'),
  required(504, 'added_files_count', 'int'),
  required(505, 'existing_files_count', 'int'),
  required(506, 'deleted_files_count', 'int'),
  required(512, 'added_rows_count', 'long'),
  required(513, 'existing_rows_count', 'long'),
  required(514, 'deleted_rows_count', 'long'),
  optional(
    507,
    'partitions',
    list(
      508,
      record('r508', [
        required(509, 'contains_null', 'boolean'),
        optional(518, 'contains_nan', 'boolean'),
        optional(510, 'lower_bound', 'bytes'),
        optional(511, 'upper_bound', 'bytes'),
      ]),
    ),
  ),
  optional(519, 'key_metadata', 'bytes'),
]);
