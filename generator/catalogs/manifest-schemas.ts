/* Avro schemas of Apache Iceberg's files, with the field ids of its specification. Optional fields are left out. */

const field = (id: number, name: string, type: unknown) => ({ name, type, 'field-id': id });
const optional = (id: number, name: string, type: unknown) => ({
  ...field(id, name, ['null', type]),
  default: null,
});

/** Avro stores a map from field ids as a list. */
const byField = (keyId: number, valueId: number, type: 'long' | 'bytes') => ({
  type: 'array',
  logicalType: 'map',
  items: {
    type: 'record',
    name: `k${keyId}_v${valueId}`,
    fields: [field(keyId, 'key', 'int'), field(valueId, 'value', type)],
  },
});

export const manifestSchema = {
  type: 'record',
  name: 'manifest_entry',
  fields: [
    field(0, 'status', 'int'),
    optional(1, 'snapshot_id', 'long'),
    optional(3, 'sequence_number', 'long'),
    optional(4, 'file_sequence_number', 'long'),
    field(2, 'data_file', {
      type: 'record',
      name: 'r2',
      fields: [
        field(134, 'content', 'int'),
        field(100, 'file_path', 'string'),
        field(101, 'file_format', 'string'),
        field(102, 'partition', { type: 'record', name: 'r102', fields: [] }),
        field(103, 'record_count', 'long'),
        field(104, 'file_size_in_bytes', 'long'),
        optional(108, 'column_sizes', byField(117, 118, 'long')),
        optional(109, 'value_counts', byField(119, 120, 'long')),
        optional(110, 'null_value_counts', byField(121, 122, 'long')),
        optional(125, 'lower_bounds', byField(126, 127, 'bytes')),
        optional(128, 'upper_bounds', byField(129, 130, 'bytes')),
        optional(132, 'split_offsets', { type: 'array', items: 'long', 'element-id': 133 }),
      ],
    }),
  ],
} as const;

export const manifestListSchema = {
  type: 'record',
  name: 'manifest_file',
  fields: [
    field(500, 'manifest_path', 'string'),
    field(501, 'manifest_length', 'long'),
    field(502, 'partition_spec_id', 'int'),
    field(517, 'content', 'int'),
    field(515, 'sequence_number', 'long'),
    field(516, 'min_sequence_number', 'long'),
    field(503, 'added_snapshot_id', 'long'),
    field(504, 'added_files_count', 'int'),
    field(505, 'existing_files_count', 'int'),
    field(506, 'deleted_files_count', 'int'),
    field(512, 'added_rows_count', 'long'),
    field(513, 'existing_rows_count', 'long'),
    field(514, 'deleted_rows_count', 'long'),
    // The tables have no partitions, but some engines expect the list.
    optional(507, 'partitions', {
      type: 'array',
      items: { type: 'record', name: 'r508', fields: [field(509, 'contains_null', 'boolean')] },
      'element-id': 508,
    }),
  ],
} as const;
