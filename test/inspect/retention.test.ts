import { beforeAll, expect, test } from 'vitest';
import { openForReading } from '../../generator/database/database-file.ts';
import { type Publication, publicationsUpTo } from '../../generator/database/publications.ts';
import { nextToExpire, retainedPublications } from '../../generator/documents/retention.ts';
import { publishedFixtures } from '../support/published-fixtures.ts';

let publications: Publication[];
beforeAll(async () => {
  const connection = openForReading(await publishedFixtures(12));
  publications = publicationsUpTo(connection, 12);
  connection.close();
});

test('exports are dropped by the first publication after the instant, and not at it', () => {
  const retainedAfter = (existing: readonly Publication[], published_at: string) => {
    const last = existing.at(-1) as Publication;
    const next = { ...last, sequence: last.sequence + 1, published_at };
    return retainedPublications([...existing, next], next).map(({ sequence }) => sequence);
  };
  for (let count = 2; count <= publications.length; count += 1) {
    const existing = publications.slice(0, count);
    const { exports } = nextToExpire(existing, existing.at(-1) as Publication);
    if (exports === null) continue;
    const later = new Date(Date.parse(exports.after) + 1000).toISOString().replace('.000Z', 'Z');
    expect(retainedAfter(existing, exports.after)).toContain(exports.sequence);
    expect(retainedAfter(existing, later)).not.toContain(exports.sequence);
  }
});

test('the current publication and one without events have nothing to drop', () => {
  const first = { ...(publications[0] as Publication), last_event: 0 };
  expect(nextToExpire([first], first)).toMatchObject({ exports: null, events: null });
});
