import { join } from 'node:path';
import { beforeAll, expect, inject, test } from 'vitest';
import { openForReading } from '../../generator/database/database-file.ts';
import { type Publication, publicationsUpTo } from '../../generator/database/publications.ts';
import { type NextToLeave, nextToLeave, retainedPublications } from '../../generator/model/retention.ts';

let publications: Publication[];
beforeAll(() => {
  const connection = openForReading(join(inject('publishedFixtures'), '12.sqlite'));
  publications = publicationsUpTo(connection, 12);
  connection.close();
});

function nextOf(existing: readonly Publication[], days: Partial<Publication> = {}): NextToLeave {
  const current = existing.at(-1);
  if (!current) throw new Error('no publication');
  return nextToLeave(existing, { ...current, ...days });
}

/** The sequences whose exports stay when another publication follows at this time. */
function retainedAfter(existing: readonly Publication[], published_at: string): number[] {
  const last = existing.at(-1);
  if (!last) throw new Error('no publication');
  const next = { ...last, sequence: last.sequence + 1, published_at };
  return retainedPublications([...existing, next], next).map(({ sequence }) => sequence);
}

test('exports leave with the first publication after the instant, and not at it', () => {
  for (let count = 2; count <= publications.length; count += 1) {
    const existing = publications.slice(0, count);
    const { exports } = nextOf(existing);
    if (exports === null) continue;
    const later = new Date(Date.parse(exports.after) + 1000).toISOString().replace('.000Z', 'Z');
    expect(retainedAfter(existing, exports.after)).toContain(exports.sequence);
    expect(retainedAfter(existing, later)).not.toContain(exports.sequence);
  }
});

test('a publication without events has none to leave', () => {
  const quiet = publications.map((publication) => ({ ...publication, last_event: publication.sequence < 4 ? 0 : 7 }));
  expect(nextOf(quiet).events?.sequence).toBe(4);
  expect(nextOf(quiet.slice(0, 3)).events).toBeNull();
});

test('the current publication does not leave', () => {
  expect(nextOf(publications.slice(0, 1)).exports).toBeNull();
  expect(nextOf(publications, { publication_days: 1 }).exports).toBeNull();
});
