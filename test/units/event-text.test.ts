import { expect, test } from 'vitest';
import { changeEvent as changeEventSchema } from '../../contract/schemas/change.ts';
import { openForReading } from '../../generator/database/database-file.ts';
import { eventReader } from '../../generator/database/events.ts';
import { changeEvent, eventText } from '../../generator/documents/change-list.ts';
import { stateAt } from '../../generator/documents/state.ts';
import { publishedFixtures } from '../support/published-fixtures.ts';

test('lists print an event exactly as the JSON of its value', async () => {
  const connection = openForReading(await publishedFixtures(12));
  const { publication, publicationAt } = stateAt(connection, 12);
  const rows = eventReader(connection).range(1, publication.last_event);
  connection.close();
  expect(new Set(rows.map(({ type }) => type))).toEqual(
    new Set(changeEventSchema.options.map(({ shape }) => shape.type.value)),
  );
  for (const row of rows) expect(eventText(row, publicationAt)).toBe(JSON.stringify(changeEvent(row, publicationAt)));
});
