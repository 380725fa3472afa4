import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportResource } from '../contract/columns/export.ts';
import { openForReading } from '../generator/database/database-file.ts';
import { latestPublication } from '../generator/database/publications.ts';
import { makeExportHeader, readExportSources, recordCount } from '../generator/documents/export-records.ts';
import { stateAt } from '../generator/documents/state.ts';
import { exportWriter } from '../generator/tables/export.ts';

/** Writes the export files of the latest publication on one thread. Prints the records and the time of each. */
function main([database = '', folder = '']: readonly string[]): void {
  const connection = openForReading(database);
  const sequence = latestPublication(connection)?.sequence;
  if (sequence === undefined) throw new Error(`expected a publication in ${database}, got none`);
  const files = exportResource.options.map((resource) => {
    const started = performance.now();
    const before = process.cpuUsage();
    const state = stateAt(connection, sequence);
    const open = (ending: string) => openSync(join(folder, `${resource}.${ending}`), 'w');
    const [ndjson, parquet] = [open('ndjson.gz'), open('parquet')];
    const files = exportWriter(resource, makeExportHeader(state, resource, null), state.profile, {
      ndjson: (bytes) => writeFileSync(ndjson, bytes),
      parquet: (bytes) => writeFileSync(parquet, bytes),
    });
    for (const source of readExportSources(state, resource)) files.add(source);
    files.end();
    for (const file of [ndjson, parquet]) closeSync(file);
    const { user, system } = process.cpuUsage(before);
    return {
      resource,
      records: recordCount(state.publication, resource),
      seconds: (performance.now() - started) / 1000,
      cpuSeconds: (user + system) / 1e6,
    };
  });
  connection.close();
  console.log(JSON.stringify(files));
}

main(process.argv.slice(2));
