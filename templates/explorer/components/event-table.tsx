import type { ChangeEvent } from '../../../generator/contract/documents/change.ts';
import { productColumn, retrievedColumn, storeColumn, typeColumn } from '../changes/change-columns.tsx';
import { changeText } from '../changes/change-text.ts';
import { type Column, DataTable } from './data-table.tsx';

const textColumn: Column<ChangeEvent> = { label: 'What is reported', value: changeText };

/** A few events, newest first. `hasProducts`: they are of several products. */
export function EventTable({
  events,
  file,
  hasProducts = false,
}: {
  readonly events: readonly ChangeEvent[];
  readonly file: string;
  readonly hasProducts?: boolean;
}) {
  return (
    <DataTable
      caption="Latest changes"
      file={file}
      columns={[retrievedColumn, ...(hasProducts ? [productColumn] : []), typeColumn, textColumn, storeColumn]}
      rows={events}
      keyOf={({ id }) => id}
    />
  );
}
