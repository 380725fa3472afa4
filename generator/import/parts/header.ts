import { type SnapshotHeader, snapshotHeader } from '../../publish/snapshot/format.ts';
import { expectedTime } from '../values/date-times.ts';
import { type ImportContext, recipeFault } from './context.ts';

type Times = SnapshotHeader['catalog'];

/** When the catalog or the directory was retrieved. Reports a time that neither the recipe nor the command line has. */
export function timesOf(context: ImportContext, part: 'catalog' | 'directory'): NonNullable<Times> {
  const { recipe, options } = context;
  const { [part]: times, retrieved_at: all } = recipe.snapshot;
  const retrieved = options.retrievedAt ?? times?.retrieved_at ?? all;
  if (retrieved === undefined)
    recipeFault(context)(`snapshot.${part}.retrieved_at`, 'a date-time, or --retrieved-at', 'none');
  return { source_updated_at: times?.source_updated_at ?? null, retrieved_at: retrieved ?? '' };
}

/** Writes snapshot.json. `catalog` and `directory` are null for parts that the import does not have. */
export function importHeader(context: ImportContext, catalog: Times, directory: Times): SnapshotHeader | null {
  const { recipe, options, publishedAt, writer, faults } = context;
  const { policy, retention, warnings } = recipe.snapshot;
  const fault = recipeFault(context);
  if (publishedAt === null) fault('snapshot.published_at', 'a date-time, or --published-at', 'none');
  const check = (place: string, time: string | null | undefined) => {
    const expected = time ? expectedTime(time, publishedAt) : null;
    if (expected !== null) fault(`snapshot.${place}`, expected, time ?? '');
  };
  check('published_at', publishedAt);
  check('retrieved_at', options.retrievedAt ?? recipe.snapshot.retrieved_at);
  for (const [part, times] of Object.entries({ catalog, directory }))
    for (const [field, time] of Object.entries(times ?? {})) check(`${part}.${field}`, time);
  if (faults.total > 0) return null;
  const header = snapshotHeader.parse({
    format: 'inventory-snapshot',
    format_version: 1,
    published_at: publishedAt,
    catalog,
    directory,
    policy,
    retention,
    warnings,
  });
  writer.document('snapshot.json', header);
  return header;
}
