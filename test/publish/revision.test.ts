import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fixtureFolders } from '../../generator/cli/preview.ts';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { publicationsUpTo } from '../../generator/database/publications.ts';
import { guardNames } from '../../generator/publish/guards/guards.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import { folderForFile } from '../support/temporary-folder.ts';
import { build } from '../units/fixture-series.ts';

/*
 * A snapshot leaves out parts without news, so the same snapshot after different ones is a different publication, with
 * the data of those.
 */

const folder = folderForFile();
const [first = '', second = '', , fourth = '', fifth = ''] = fixtureFolders();

/** The second bundled snapshot, with a quantity that is one higher. */
const otherSecond = join(folder, 'other-second');
cpSync(second, otherSecond, { recursive: true });
const inventory = join(otherSecond, 'inventory.ndjson');
const text = readFileSync(inventory, 'utf8');
writeFileSync(
  inventory,
  text.replace(/\["0001", (\d+)\]/, (_, quantity) => `["0001", ${Number(quantity) + 1}]`),
);

async function publish(name: string, snapshots: readonly string[], correcting: number | null = null) {
  const database = join(folder, `${name}.sqlite`);
  const connection = openForPublishing(database);
  try {
    for (const [index, snapshot] of snapshots.entries()) {
      const before = publicationsUpTo(connection, index).at(-1);
      const isCorrection = index === correcting && before;
      const correction = isCorrection ? { revisions: [before.revision], reason: 'A shelf was counted twice.' } : null;
      await publishSnapshot(connection, snapshot, { quarantine: false, accept: guardNames, correction });
    }
    return { database, revisions: publicationsUpTo(connection, snapshots.length).map(({ revision }) => revision) };
  } finally {
    connection.close();
  }
}

test('the same snapshot after other ones has another revision', async () => {
  const [one, other] = [
    await publish('one', [first, second, fourth]),
    await publish('other', [first, otherSecond, fourth]),
  ];
  const again = await publish('again', [first, second, fourth]);
  expect(again.revisions).toEqual(one.revisions);
  expect(one.revisions.map((revision, index) => revision === other.revisions[index])).toEqual([true, false, false]);
});

test('a site is not built on with a database of another history, wherever that begins', async () => {
  const snapshots = [first, second, fourth, fifth];
  const right = await publish('right', snapshots, 2);
  const site = join(folder, 'site');
  await build(right.database, site);
  const forgotten = await publish('forgotten', snapshots);
  await expect(build(forgotten.database, site)).rejects.toThrow(
    `the folder holds a site of another database: expected its revision ${right.revisions[2]} (publication 3) in ${forgotten.database}, where publication 3 is ${forgotten.revisions[2]}; build into an empty folder`,
  );
});
