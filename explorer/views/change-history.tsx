import type { ChangePiece, ChangePieces } from '../../contract/schemas/change-pieces.ts';
import { DataTable } from '../parts/data-table.tsx';
import { LaterDetails } from '../parts/later.tsx';
import { WhenLoaded } from '../parts/states.tsx';
import type { Column } from '../parts/table-columns.ts';
import { countNoun, countText, dateText } from '../parts/text.ts';
import { useLoaded, useSession } from '../site/session.ts';

/** The change history as files of 10,000 events each, and where to find the newest events. */
export function ChangeHistory() {
  const { site } = useSession();
  const path = site.addressOf('change_pieces');
  const loaded = useLoaded('change pieces', (site, signal) =>
    site.at<ChangePieces>('/v1/exports/changes.json', { signal }),
  );
  const columns: readonly Column<ChangePiece>[] = [
    {
      label: 'File',
      value: ({ number }) => number,
      show: ({ number }) => (
        <a href={site.addressOf('change_piece', { number: String(number) })}>{`${number}.ndjson.gz`}</a>
      ),
      width: 18,
    },
    {
      label: 'First event',
      value: (piece) => piece.first_event,
      show: (p) => countText(p.first_event),
      isNumber: true,
    },
    { label: 'Last event', value: (piece) => piece.last_event, show: (p) => countText(p.last_event), isNumber: true },
    {
      label: 'Retrieved from',
      value: ({ retrieved: [from] }) => from,
      show: ({ retrieved: [from] }) => dateText(from),
    },
    { label: 'Retrieved to', value: ({ retrieved: [, to] }) => to, show: ({ retrieved: [, to] }) => dateText(to) },
    { label: 'Bytes', value: ({ size }) => size, show: ({ size }) => countText(size), isNumber: true },
    { label: 'SHA-256', value: ({ sha256 }) => sha256, show: ({ sha256 }) => <code class="hash">{sha256}</code> },
    {
      label: 'As Parquet',
      value: ({ number }) => `${number}.parquet`,
      show: ({ number }) => (
        <a href={site.addressOf('change_piece_parquet', { number: String(number) })}>{`${number}.parquet`}</a>
      ),
      width: 18,
    },
    {
      label: 'Parquet bytes',
      value: ({ parquet }) => parquet.size,
      show: ({ parquet }) => countText(parquet.size),
      isNumber: true,
    },
    {
      label: 'Parquet SHA-256',
      value: ({ parquet }) => parquet.sha256,
      show: ({ parquet }) => <code class="hash">{parquet.sha256}</code>,
    },
  ];
  return (
    <WhenLoaded loaded={loaded} what="the change history">
      {({ pieces, events_per_piece, after }) => (
        <>
          <p>
            Each complete piece has {countText(events_per_piece)} events and never changes. Pieces can be concatenated
            in order; <a href={path}>their list</a> explains each column. Events from number{' '}
            {countText(after.first_event)} on are in the <a href="#/changes">list of changes</a> and, as Parquet, in{' '}
            <a href={site.addressOf('newest_changes_parquet')}>newest.parquet</a>.
          </p>
          {pieces.length === 0 ? (
            <p>There is no complete piece yet.</p>
          ) : (
            <LaterDetails summary={countNoun(pieces.length, 'piece')}>
              <DataTable
                caption="Pieces of the change history"
                columns={columns}
                rows={pieces}
                file="change-history"
                rowKey={({ number }) => number}
              />
            </LaterDetails>
          )}
        </>
      )}
    </WhenLoaded>
  );
}
