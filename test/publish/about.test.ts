import { expect, test } from 'vitest';
import { unpublishLast } from '../../generator/database/unpublish.ts';
import { State } from '../../generator/model/state.ts';
import { dumpOf } from '../support/database-dump.ts';
import { curationOf, productLine } from '../support/snapshot-writer.ts';
import { TestDatabase } from '../support/test-database.ts';

const day = (number: number) => `2025-03-${String(number).padStart(2, '0')}T12:00:00Z`;
const products = [productLine('000001')];
const first = { products, stores: [], curation: curationOf({ about: { title: 'Orchard prices' } }) };
const license = { name: 'CC0-1.0', url: null };

test('a statement holds until another curation, which states everything again', async () => {
  const database = new TestDatabase();
  await database.publish(day(1), first);
  await database.publish(day(2), { products });
  await database.publish(day(3), { curation: curationOf({ about: { title: 'Orchard prices', license } }) });
  const before = dumpOf(database.connection);
  await database.publish(day(4), { curation: curationOf() });

  const state = new State(database.connection, 4);
  const titles = [1, 2, 3, 4].map((sequence) => state.aboutAt(sequence));
  const stated = { title: 'Orchard prices', agency: null, notice: null, source_url: null, contact: null };
  expect(titles).toEqual([{ ...stated, license: null }, { ...stated, license: null }, { ...stated, license }, null]);
  expect(new State(database.connection, 2).aboutAt(2)).toEqual({ ...stated, license: null });
  expect(database.events(3)).toEqual([]);

  unpublishLast(database.connection, () => undefined);
  expect(dumpOf(database.connection)).toEqual(before);
  expect(new State(database.connection, 3).aboutAt(3)).toEqual({ ...stated, license });
});

test('a fault in it refuses the snapshot together with all other faults, and is never set aside', async () => {
  const database = new TestDatabase();
  const curation = curationOf({
    about: { source_url: 'board.example', licence: 'CC0-1.0' },
    brands: Array.from({ length: 200 }, (_, index) => ({ slug: `b-${index}`, name: 'B', aliases: [], reviewed: true })),
  });
  const problems = [
    'curation.json about.source_url: expected an http or https URL, got "board.example"',
    'curation.json about: expected only the keys title, agency, notice, license, source_url, contact, got licence',
  ];
  const snapshot = { ...first, curation };
  expect(await database.problemsOf(day(1), snapshot)).toEqual(problems);
  expect(await database.problemsOf(day(1), snapshot, { quarantine: true })).toEqual(problems);
  const wrong = { ...snapshot, products: [productLine('000001', { price_minor: -1 })] };
  expect(await database.problemsOf(day(1), wrong)).toEqual([
    ...problems,
    'products.ndjson:1 price_minor: expected an integer of at least 0, got -1',
  ]);
});
