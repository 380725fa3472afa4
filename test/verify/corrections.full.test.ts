import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FeedCorrection } from '../../generator/contract/documents/correction.ts';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { publicationsUpTo } from '../../generator/database/publications.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import { build } from '../build/fixture-series.ts';
import { randomWorld } from '../support/random-world.ts';
import { writeSnapshot } from '../support/snapshot-writer.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { EditedSite } from './edited-site.ts';

const folder = temporaryFolder();
const site = join(folder, 'site');

beforeAll(async () => {
  const database = join(folder, 'publication.sqlite');
  for (const [index, snapshot] of randomWorld({ seed: 8, products: 4, stores: 3, publications: 4 }).entries()) {
    const connection = openForPublishing(database);
    const before = publicationsUpTo(connection, index).at(-1);
    const correction = index >= 2 && before ? { revisions: [before.revision], reason: `reason ${index}` } : null;
    const source = writeSnapshot(join(folder, `snapshot-${index}`), snapshot);
    await publishSnapshot(connection, source, { quarantine: false, acceptShrink: true, correction });
    connection.close();
    await build(database, site);
  }
});
afterAll(() => removeFolder(folder));

const [metadata, publications, exported] = ['/v1/metadata', '/v1/metadata/publications', '/v1/exports'];
type Corrections = { readonly corrections: FeedCorrection[] };

test('a site with corrections has no faults', async () => {
  expect(await new EditedSite(site).faults()).toEqual([]);
});

test.each<[string, string, (data: never) => unknown, string]>([
  [
    'no newest correction',
    metadata,
    (data: Record<string, unknown>) => Object.assign(data, { correction: null }),
    metadata,
  ],
  [
    'another reason of the newest',
    metadata,
    ({ correction }: { correction: object }) => Object.assign(correction, { reason: 'none' }),
    metadata,
  ],
  [
    'another number',
    metadata,
    ({ feed }: { feed: Corrections }) => Object.assign(feed.corrections[0] ?? {}, { number: 2 }),
    metadata,
  ],
  [
    'events after the correction',
    metadata,
    ({ feed }: { feed: Corrections }) => Object.assign(feed.corrections[0]?.corrected[0] ?? {}, { last_event: 9999 }),
    metadata,
  ],
  [
    'another place',
    metadata,
    ({ feed }: { feed: Corrections }) => Object.assign(feed.corrections[0] ?? {}, { after_event: 9999 }),
    metadata,
  ],
  [
    'another end of the feed',
    metadata,
    ({ feed }: { feed: object }) => Object.assign(feed, { last_event: 1 }),
    metadata,
  ],
  [
    'no correction of a publication',
    publications,
    (rows: { correction: unknown }[]) => rows.map((row) => Object.assign(row, { correction: null })),
    publications,
  ],
  ['no correction of a file', exported, (data: object) => Object.assign(data, { corrections: [] }), exported],
])('%s', async (_, path, edit, faulty) => {
  const copy = new EditedSite(site);
  copy.editDocument(path, ({ data }) => edit(data as never));
  const faults = await copy.faults();
  expect([...new Set(faults)]).toEqual([
    expect.stringMatching(new RegExp(`^(publication_mismatch|list_count) ${faulty}$`)),
  ]);
});
