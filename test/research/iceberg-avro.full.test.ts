import { execFileSync } from 'node:child_process';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { icebergTable } from '../../contract/schemas/iceberg.ts';
import { isGrowing } from '../../generator/catalogs/iceberg-schema.ts';
import { needing, program } from '../support/installed-programs.ts';
import { build, publishFixtures, temporaryFolder } from '../units/fixture-series.ts';
import { manifestEntry, manifestFile } from './iceberg-spec.ts';

const reader = 'Python with avro';
const script = new URL('../python/read_avro.py', import.meta.url).pathname;
const { path: folder, remove } = temporaryFolder();
const site = join(folder, 'site');

describe('Python reads the manifests with the schemas of the specification', needing(reader), () => {
  beforeAll(async () => {
    const database = join(folder, 'publication.sqlite');
    await publishFixtures(database);
    await build(database, site, { choices: { iceberg: 's3://bucket' } });
    writeFileSync(join(folder, 'entry.json'), JSON.stringify(manifestEntry));
    writeFileSync(join(folder, 'list.json'), JSON.stringify(manifestFile));
  });
  afterAll(remove);

  function read<Entry>(schema: string, files: readonly string[]): Entry[] {
    const lines = execFileSync(program(reader), [script, join(folder, schema), ...files]).toString();
    return lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  }

  test.each(icebergTable.options)('%s: files of these sizes, in manifests of these lengths', (table) => {
    const metadata = join(site, `site/v1/iceberg/${table}/metadata`);
    const names = readdirSync(metadata).filter((name) => name.endsWith('.avro'));
    const [lists, manifests] = [true, false].map((isList) =>
      names.filter((name) => name.startsWith('snap-') === isList).map((name) => join(metadata, name)),
    );
    type Entry = { data_file: { file_path: string; file_size_in_bytes: number; record_count: number } };
    const entries = read<Entry>('entry.json', manifests ?? []);
    expect(entries).toHaveLength(manifests?.length ?? 0);
    for (const { data_file } of entries) {
      const file = data_file.file_path.replace('s3://bucket', join(site, 'site'));
      expect(statSync(file).size).toBe(data_file.file_size_in_bytes);
      expect(data_file.record_count).toBeGreaterThan(0);
    }
    type Listed = { manifest_path: string; manifest_length: number; sequence_number: number };
    const listed = read<Listed>('list.json', lists ?? []);
    expect(listed.length).toBeGreaterThanOrEqual(lists?.length ?? 0);
    for (const { manifest_path, manifest_length } of listed) {
      const file = manifest_path.replace('s3://bucket', join(site, 'site'));
      expect(statSync(file).size).toBe(manifest_length);
    }
  });

  test.each(icebergTable.options)('%s: a publication deletes the file that it replaces', (table) => {
    const metadata = join(site, `site/v1/iceberg/${table}/metadata`);
    const names = readdirSync(metadata).filter((name) => /^(deleted-)?[0-9a-f-]{36}\.avro$/.test(name));
    type Entry = {
      readonly status: number;
      readonly snapshot_id: number;
      readonly sequence_number: number;
      readonly data_file: { readonly file_path: string; readonly record_count: number };
    };
    const entries = read<Entry>(
      'entry.json',
      names.map((name) => join(metadata, name)),
    );
    const added = new Map(entries.flatMap((one) => (one.status === 1 ? [[one.snapshot_id, one.data_file]] : [])));
    const deleted = entries.filter(({ status }) => status === 2).toSorted((a, b) => a.snapshot_id - b.snapshot_id);
    expect(deleted.map(({ snapshot_id }) => snapshot_id)).toEqual(isGrowing(table) ? [] : [10, 11, 12]);
    for (const { snapshot_id, sequence_number, data_file } of deleted) {
      expect(sequence_number).toBe(snapshot_id - 1);
      expect(data_file).toEqual(added.get(sequence_number));
    }
  });
});
