import { storeService } from '../../contract/documents/store.ts';
import { usualProfile } from '../../contract/profile.ts';
import { partSchemas, type StoreLine } from '../../publish/snapshot/format.ts';
import { limits } from '../../publish/snapshot/limits.ts';
import { quoted } from '../faults.ts';
import type { Services } from '../recipe/recipe.ts';
import { textOf, trimmed } from '../tables/table.ts';
import { cellAt, type OnFault } from '../values/field-reader.ts';
import { PartFields } from '../values/part-fields.ts';
import { checkedLine, type ImportContext, type RoleFiles, recipeFault } from './context.ts';
import { LeftOut, type PartRow, partRows } from './part-rows.ts';

const { storeLine } = partSchemas(usualProfile);

export type ImportedStores = {
  readonly count: number;
  /** Whether all rows could be read, so that a code that is not here is in none of them. */
  readonly isComplete: boolean;
  readonly codes: ReadonlySet<string>;
  readonly leftOut: LeftOut;
};

const file = 'stores.ndjson';

/** Writes stores.ndjson, in the order of the rows. `retrievedAt`: when the directory was retrieved. */
export async function importStores(
  context: ImportContext,
  { files, rule: fileRule }: RoleFiles,
  retrievedAt: string,
): Promise<ImportedStores> {
  const { recipe, faults, writer } = context;
  const part = recipe.stores ?? { from: '', fields: {} };
  const faultsBefore = faults.total;
  const fields = new PartFields('stores', part.fields, context, [], recipeFault(context));
  const services = serviceReader(context, part.services);
  const leftOut = new LeftOut(part.leave_out ?? []);
  const columns = [...fields.columns, ...leftOut.columns, ...services.columns];
  const unique = { inventory_store_code: new Map<string, string>(), directory_id: new Map<string, string>() };
  let count = 0;
  writer.line(file);
  const result = { codes: new Set<string>(), leftOut };
  if (faults.total > faultsBefore) return { ...result, count, isComplete: false };
  const source = { files, rule: fileRule, each: null, columns, leftOut };
  for await (const partRow of partRows(source, context)) {
    const { row, table } = partRow;
    const fault: OnFault = (column, expected, got) =>
      faults.add({ file: table.file, unit: table.unit, row: row.number, column }, expected, got);
    const values = fields.readAll(row, table, fault);
    const offered = services.read(partRow, fault);
    if (values === null || offered === null) continue;
    const whole = { ...withDerived(values, retrievedAt), services: offered };
    const line = checkedLine<StoreLine>(storeLine, whole, partRow, fields, faults);
    if (line === null) continue;
    count += 1;
    for (const [field, seen] of Object.entries(unique)) {
      const value = line[field as keyof typeof unique];
      const before = value === null ? undefined : seen.get(value);
      if (before !== undefined)
        fault(fields.placeOf(field), 'a value of its own', `'${value}', which ${before} has too`);
      if (value !== null) seen.set(value, `${table.unit} ${row.number} of ${table.file}`);
    }
    if (line.inventory_store_code !== null) result.codes.add(line.inventory_store_code);
    if (count > limits.storeLines) fault(null, `at most ${limits.storeLines} stores`, 'more');
    else writer.line(file, line);
  }
  return { ...result, count, isComplete: faults.total === faultsBefore };
}

/** A store without coordinates has no location. A store of the directory was seen when the directory was retrieved. */
function withDerived(values: Record<string, unknown>, retrievedAt: string): Record<string, unknown> {
  const location = values.location as { latitude: unknown; longitude: unknown };
  const presence = values.directory_presence as { state: unknown; last_seen_at: unknown };
  const isNowhere = location.latitude === null && location.longitude === null;
  const seen = presence.last_seen_at ?? (presence.state === 'present' ? retrievedAt : null);
  return {
    ...values,
    location: isNowhere ? null : location,
    directory_presence: { state: presence.state, last_seen_at: seen },
  };
}

type ServiceReader = {
  readonly columns: readonly string[];
  readonly read: (row: PartRow, fault: OnFault) => string[] | null;
};

/** Reads the services of a store: from one column with a list, or from a column for each service. */
function serviceReader(context: ImportContext, services: Services | undefined): ServiceReader {
  if (services === undefined) return { columns: [], read: () => [] };
  const cell = ({ row, table }: PartRow, column: string) => trimmed(textOf(cellAt(row, table, column)));
  if ('flags' in services) {
    const { flags, yes, no } = services;
    const unknown = Object.values(flags).filter((service) => !storeService.options.some((one) => one === service));
    for (const service of unknown)
      recipeFault(context)('stores.services.flags', `one of ${storeService.options.join(', ')}`, `'${service}'`);
    return {
      columns: Object.keys(flags),
      read: (row, fault) => {
        const wrong = Object.keys(flags).filter((column) => ![...yes, ...no, ''].includes(cell(row, column)));
        for (const column of wrong) fault(column, `one of ${[...yes, ...no].join(', ')}`, quoted(cell(row, column)));
        const offered = Object.entries(flags).filter(([column]) => yes.includes(cell(row, column)));
        return wrong.length > 0 ? null : offered.map(([, service]) => service);
      },
    };
  }
  const { column, split, lookup: named } = services;
  const lookup = context.lookups.of('stores.services', named);
  if (lookup === undefined) recipeFault(context)('stores.services.lookup', 'a name in lookups', `'${named}'`);
  return {
    columns: [column],
    read: (row, fault) => {
      const texts = cell(row, column)
        .split(split)
        .map(trimmed)
        .filter((text) => text !== '');
      if (!lookup) return texts;
      const found = texts.map((text) => ({ text, service: lookup.find(text) }));
      const wrong = found.filter(({ service }) => service === undefined);
      for (const { text } of wrong) fault(column, lookup.expected, quoted(text));
      return wrong.length > 0 ? null : found.flatMap(({ service }) => service ?? []);
    },
  };
}
