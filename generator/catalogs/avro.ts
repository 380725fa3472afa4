import { hash } from 'node:crypto';
import avsc from 'avsc';

const fixed = (name: string, size: number) => ({ type: 'fixed', name, size }) as const;

/** The beginning of a container file (Avro 1.11, object container files). */
const header = avsc.Type.forSchema({
  type: 'record',
  name: 'Header',
  fields: [
    { name: 'magic', type: fixed('Magic', 4) },
    { name: 'meta', type: { type: 'map', values: 'bytes' } },
    { name: 'sync', type: fixed('Sync', 16) },
  ],
});
const long = avsc.Type.forSchema('long');

/**
 * Writes all records in one uncompressed block. `meta`: more metadata. Other writers draw the marker between blocks at
 * random. Here it is a hash of the rest, so that equal records give equal bytes.
 */
export function avroFile(schema: object, meta: Readonly<Record<string, string>>, records: readonly object[]): Buffer {
  const type = avsc.Type.forSchema(schema as avsc.Schema);
  const block = Buffer.concat(records.map((record) => type.toBuffer(record)));
  const stated = { ...meta, 'avro.schema': JSON.stringify(schema), 'avro.codec': 'null' };
  const sync = hash('sha256', Buffer.concat([Buffer.from(JSON.stringify(stated)), block]), 'buffer').subarray(0, 16);
  const entries = Object.entries(stated).map(([name, value]) => [name, Buffer.from(value)]);
  const beginning = header.toBuffer({ magic: Buffer.from('Obj\u0001'), meta: Object.fromEntries(entries), sync });
  if (records.length === 0) return beginning;
  return Buffer.concat([beginning, long.toBuffer(records.length), long.toBuffer(block.length), block, sync]);
}
