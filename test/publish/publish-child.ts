import { openForPublishing } from '../../generator/database/database-file.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';

/** Publishes folders into a database, in a process that a test may kill: `<database> <folder>...`. */
const [database = '', ...folders] = process.argv.slice(2);

process.stdout.write('ready\n');
const connection = openForPublishing(database);
for (const folder of folders) await publishSnapshot(connection, folder, { quarantine: false, acceptShrink: false });
connection.close();
