import { closeSync, copyFileSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixtureFolders } from '../generator/cli/preview.ts';
import type { Connection } from '../generator/database/connection.ts';
import { openForPublishing } from '../generator/database/database-file.ts';
import { tables } from '../generator/database/schema.ts';
import { Failure } from '../generator/files/failure.ts';
import { publishSnapshot } from '../generator/publish/publish.ts';
import { integer, seededRandom } from '../test/support/random.ts';

/*
 * Measures how much damage to a database is noticed when publishing into it. Publishes the last of the fixtures into
 * copies of a database with the others, each damaged in one random place. Prints a table row for each kind of damage.
 */

const copies = 400;
const pageBytes = 4096;
const random = seededRandom(20_250_605);
const folder = mkdtempSync(join(tmpdir(), 'shelfpress-damage-'));
const [sound, copy] = [join(folder, 'sound.sqlite'), join(folder, 'copy.sqlite')];
const snapshots = fixtureFolders();
const last = snapshots.at(-1) as string;

function dumpOf(connection: Connection): string {
  const rowsOf = (table: string) => connection.prepare(`SELECT * FROM ${table}`).raw().all();
  return JSON.stringify(tables.map(({ name }) => rowsOf(name)));
}

/**
 * Publishes snapshots into a database. Resolves to the content of the database, or to null if publishing is refused.
 */
async function publish(database: string, folders: readonly string[]): Promise<string | null> {
  try {
    const connection = openForPublishing(database);
    try {
      for (const snapshot of folders) await publishSnapshot(connection, snapshot, { quarantine: false });
      return dumpOf(connection);
    } finally {
      connection.close();
    }
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

const below = (limit: number) => integer(random, 0, limit - 1);
const noise = (bytes: number) => Buffer.from(Array.from({ length: bytes }, () => below(256)));

await publish(sound, snapshots.slice(0, -1));
copyFileSync(sound, copy);
const expected = await publish(copy, [last]);
const content = readFileSync(sound);

const kinds: readonly (readonly [name: string, unit: number, make: () => Buffer])[] = [
  ['a page of noise', pageBytes, () => noise(pageBytes)],
  ['a page of zeros', pageBytes, () => Buffer.alloc(pageBytes)],
  [
    "a page that holds another one's content",
    pageBytes,
    () => {
      const start = below(content.length / pageBytes) * pageBytes;
      return content.subarray(start, start + pageBytes);
    },
  ],
  ['a sector of 512 bytes of noise', 512, () => noise(512)],
  ['a sector of zeros', 512, () => Buffer.alloc(512)],
  ['a single byte', 1, () => noise(1)],
];

for (const [name, unit, make] of kinds) {
  const count = { noticed: 0, same: 0, unnoticed: 0 };
  for (let round = 0; round < copies; round += 1) {
    copyFileSync(sound, copy);
    const descriptor = openSync(copy, 'r+');
    writeSync(descriptor, make(), 0, unit, below(content.length / unit) * unit);
    closeSync(descriptor);
    const outcome = await publish(copy, [last]);
    if (outcome === null) count.noticed += 1;
    else if (outcome === expected) count.same += 1;
    else count.unnoticed += 1;
  }
  console.log(`| ${name} | ${count.noticed} | ${count.same} | ${count.unnoticed} |`);
}
rmSync(folder, { recursive: true });
