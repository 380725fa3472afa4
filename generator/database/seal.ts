import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, realpathSync } from 'node:fs';
import { type Connection, firstValue } from './connection.ts';

/*
 * The seal is a SHA-256 of the whole file, in the first row of its table. `publish` breaks the seal in the transaction
 * that writes a publication, and seals the file again right after it. Every command checks the seal before it reads, so
 * that a flipped bit or an edited value never becomes an answer.
 */

/** The start of the row, by which it is found in the file. */
const marker = Buffer.from('shelfpress seal\0', 'latin1');
const digestBytes = 32;
const broken = Buffer.concat([marker, Buffer.alloc(digestBytes)]);

/** Creates the table of the seal, with a broken seal. Runs in the transaction that creates the tables. */
export function createSeal(connection: Connection): void {
  connection.exec('CREATE TABLE seal (row INTEGER PRIMARY KEY, content BLOB NOT NULL) STRICT');
  connection.prepare('INSERT INTO seal VALUES (1, ?)').run(broken);
}

const writeSeal = 'UPDATE seal SET content = ? WHERE row = 1';

/** Breaks the seal. Runs in a transaction that changes the database. */
export function breakSeal(connection: Connection): void {
  connection.prepare(writeSeal).run(broken);
}

/** Seals the committed state. The row keeps its size, so SQLite writes the new bytes in place. */
export function seal(connection: Connection): void {
  withFile(connection, 'EXCLUSIVE', (file) => {
    const content = Buffer.concat([marker, fileDigest(file)]);
    connection.prepare(writeSeal).run(content);
  });
}

/** Whether a database has no seal. Does not compare the file with the seal. */
export function isUnsealed(connection: Connection): boolean {
  return readSeal(connection)?.equals(broken) ?? false;
}

function readSeal(connection: Connection): Buffer | undefined {
  return firstValue<Buffer>(connection, 'SELECT content FROM seal WHERE row = 1');
}

/** A database is unsealed if a publish was killed, or if a program published without the command. */
export function sealState(connection: Connection): 'sealed' | 'unsealed' | 'damaged' {
  let state: ReturnType<typeof sealState> = 'damaged';
  withFile(connection, 'DEFERRED', (file) => {
    const content = readSeal(connection);
    if (content?.equals(broken)) state = 'unsealed';
    else if (content?.equals(Buffer.concat([marker, fileDigest(file)]))) state = 'sealed';
  });
  return state;
}

/** The transaction keeps writers away. The file is closed last, because closing it gives up SQLite's locks. */
function withFile(connection: Connection, kind: 'DEFERRED' | 'EXCLUSIVE', use: (file: number) => void): void {
  const file = openSync(realpathSync(connection.name), 'r');
  try {
    connection.exec(`BEGIN ${kind}`);
    try {
      use(file);
      connection.exec('COMMIT');
    } finally {
      if (connection.inTransaction) connection.exec('ROLLBACK');
    }
  } finally {
    closeSync(file);
  }
}

/** A commit or a backup changes these parts of the first page: change counters, and the version of SQLite. */
const countersAt = [
  [24, 28],
  [40, 44],
  [92, 100],
] as const;

const chunkBytes = 1 << 20;

/** The hash of a file, without its counters and the digest in its seal. No page spans two chunks. */
function fileDigest(file: number): Buffer {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(chunkBytes);
  for (let at = 0; ; ) {
    const length = readSync(file, chunk, 0, chunkBytes, at);
    if (length === 0) break;
    const bytes = chunk.subarray(0, length);
    if (at === 0) for (const [start, end] of countersAt) bytes.fill(0, start, end);
    for (let found = bytes.indexOf(marker); found >= 0; found = bytes.indexOf(marker, found + 1)) {
      bytes.fill(0, found + marker.length, found + marker.length + digestBytes);
    }
    hash.update(bytes);
    at += length;
  }
  return hash.digest();
}
