import type * as z from 'zod';
import type { Fault } from './problem.ts';
import type { RowFaults } from './row-faults.ts';
import type { PartName, SnapshotFolder } from './snapshot-folder.ts';
import { type RowOptions, readRows } from './snapshot-rows.ts';

type Checks<Row> = {
  readonly unique: NonNullable<RowOptions<Row>['unique']>;
  /** Faults that only the rest of the snapshot, or the database, can tell. */
  readonly faultsOf?: (row: Row) => Fault[];
  /** Called with the raw fields of every row that is not good. */
  readonly onRejected?: (fields: Readonly<Record<string, unknown>>) => void;
};

/** The good rows of a part of the snapshot, streamed; every other row goes to the faults. */
export async function* checkedRows<Row>(
  { parts }: SnapshotFolder,
  part: PartName,
  schema: z.ZodType<Row>,
  faults: RowFaults,
  { unique, faultsOf, onRejected }: Checks<Row>,
): AsyncGenerator<Row> {
  const path = parts[part];
  if (path === null) return;
  const file = `${part}.ndjson`;
  const rejected = (line: number | null, text: string, found: readonly Fault[]) => {
    faults.reject(file, line, text, found);
    onRejected?.(fieldsOf(text));
  };
  const rows = readRows(path, schema, {
    unique,
    onBad: (bad, problems) => rejected(bad.line, bad.text, problems),
  });
  for await (const { line, row, text } of rows) {
    const found = faultsOf?.(row) ?? [];
    if (found.length > 0) rejected(line, text, found);
    else {
      faults.accept(file);
      yield row;
    }
  }
}

/** What a faulty line still says: its fields, or of a line that is no JSON its first texts, as of one cut short. */
function fieldsOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const texts = [...text.matchAll(/"(\w+)"\s*:\s*"([^"\\]*)"/g)];
    return Object.fromEntries(texts.reverse().map(([, field, value]) => [field, value]));
  }
}
