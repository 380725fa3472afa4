import { isCode } from '../../../contract/profile.ts';
import { storeService } from '../../../contract/schemas/store.ts';
import type { StoreLine } from '../../snapshot/format.ts';
import { limits } from '../../snapshot/limits.ts';
import type { Recipe, Services } from '../recipe/recipe.ts';
import { cellText, isBlank, quoted, trimmed } from '../tables/table.ts';
import { cellAt, type OnFault } from '../values/field-reader.ts';
import { partFields } from '../values/part-fields.ts';
import { checkedLine, type ImportContext, type RoleFiles } from './context.ts';
import { openJoins } from './joins.ts';
import { OddFacts, storeExtras } from './odd-facts.ts';
import { LeftOut, type PartRow, partRows } from './part-rows.ts';
import { SetAside } from './set-aside.ts';

export type ImportedStores = Awaited<ReturnType<typeof importStores>>;

const file = 'stores.ndjson';

type Read = { readonly line: StoreLine; readonly place: string };

/** Writes stores.ndjson, in the order of the rows. `retrievedAt`: when the directory was retrieved. */
export async function importStores(
  context: ImportContext,
  part: NonNullable<Recipe['stores']>,
  { files, rule: fileRule }: RoleFiles,
  retrievedAt: string,
) {
  const { faults, writer, schemas } = context;
  const faultsBefore = faults.added;
  const fields = partFields('stores', part.fields, fileRule, context);
  const services = serviceReader(context, part.services);
  const leftOut = new LeftOut(part);
  const columns = [...fields.columns, ...leftOut.columns, ...services.columns];
  const joins = await openJoins(part.joins ?? [], columns, fields, context);
  const each = part.each ?? null;
  const uses = (column: string) => column === each;
  const source = { files, rule: fileRule, each, columns, uses, leftOut, joins };
  const keys = ['inventory_store_code', 'directory_id'] as const;
  /** The rows that were read, by the store's code, or by its id if it has no code. */
  const read = new Map<string, Read>();
  const seen = { inventory_store_code: new Map<string, Read>(), directory_id: new Map<string, Read>() };
  // A store that is set aside keeps its published location.
  const odd = new OddFacts(context.isQuarantine ? [] : storeExtras, context);
  const aside = new SetAside(context.isQuarantine, context);
  const asideLines = new Map<string, object>();
  for await (const partRow of faults.added > faultsBefore ? [] : partRows(source, context)) {
    const { row, table } = partRow;
    // An empty list in a record names no store.
    if (each !== null && isBlank(columns.map((column) => cellAt(row, table, column)))) continue;
    const fault = faults.in(table, row);
    const own = aside.faultsOfRow();
    const values = fields.readAll(row, table, own.in(table, row), (field) => odd.in(field, partRow));
    const offered = services.read(partRow, own.in(table, row));
    const whole = values && offered && { ...withDerived(values, retrievedAt), services: offered };
    const line =
      whole &&
      checkedLine<StoreLine>(schemas.storeLine, whole, partRow, fields, { faults: own, odd, profile: context.profile });
    if (!line) {
      const code = fields.read('inventory_store_code', row, table, () => {});
      const isNamed = typeof code === 'string' && isCode('store_code', context.profile, code);
      const isAlone = isNamed && !read.has(code) && !asideLines.has(code);
      const found = aside.take(own, isAlone);
      if (found !== null) asideLines.set(String(code), { ...fields.readFaulty(row, table, found), services: found });
      continue;
    }
    if (asideLines.has(line.inventory_store_code ?? ''))
      fault(
        fields.placeOf('inventory_store_code'),
        'a value of its own',
        `'${line.inventory_store_code}', which another row has too`,
      );
    const store = { line, place: `${table.unit} ${row.number} of ${table.file}` };
    const key = keys.map((field) => line[field]).find((value) => value !== null) ?? '';
    const first = read.get(key);
    const chosen = first && leftOut.choose(JSON.stringify(first.line) === JSON.stringify(line));
    if (chosen === 'first') continue;
    for (const field of keys) {
      const value = line[field];
      const before = value === null ? undefined : seen[field].get(value);
      if (value !== null && before !== undefined && !(chosen === 'last' && before === first))
        fault(
          fields.placeOf(field),
          'a value of its own, or "repeated" in the recipe',
          `'${value}', which ${before.place} has too`,
        );
      if (value !== null) seen[field].set(value, store);
    }
    read.set(key, store);
    if (read.size > limits.storeLines) fault(null, `at most ${limits.storeLines} stores`, 'more');
  }
  writer.line(file);
  aside.settle(file, read.size + asideLines.size);
  odd.settle(file, read.size + asideLines.size);
  for (const { line } of read.values()) writer.line(file, line);
  for (const line of asideLines.values()) writer.line(file, line);
  const codes = [...read.values()].map(({ line }) => line.inventory_store_code).filter((code) => code !== null);
  return {
    count: read.size,
    setAside: aside.count,
    /** Whether all rows were readable, so that no code of a row is missing here. */
    isComplete: faults.added === faultsBefore,
    codes: new Set([...codes, ...asideLines.keys()]),
    leftOut,
  };
}

/** A store without coordinates has no location. It was last seen when the directory was retrieved. */
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

/** Services come from one column with a list, or from a column for each. */
function serviceReader(context: ImportContext, services: Services | undefined): ServiceReader {
  if (services === undefined) return { columns: [], read: () => [] };
  const cell = ({ row, table }: PartRow, column: string) => trimmed(cellText(cellAt(row, table, column)));
  if ('flags' in services) {
    const { flags, yes, no } = services;
    const unknown = Object.values(flags).filter((service) => !storeService.options.some((one) => one === service));
    for (const service of unknown)
      context.recipeFault('stores.services.flags', `one of ${storeService.options.join(', ')}`, `'${service}'`);
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
  if (lookup === undefined) context.recipeFault('stores.services.lookup', 'a name in lookups', `'${named}'`);
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
