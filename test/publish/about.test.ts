import { expect, test } from 'vitest';
import { stateAt } from '../../generator/documents/state.ts';
import { curationOf, productLine } from '../support/snapshot-writer.ts';
import { TestDatabase } from '../support/test-database.ts';

const day = (number: number) => `2025-03-0${number}T12:00:00Z`;
const title = 'Orchard prices';
const products = [productLine('000001')];
const first = { products, stores: [], curation: curationOf({ about: { title } }) };

test('a statement holds until another curation, which states everything again', async () => {
  const database = new TestDatabase();
  await database.publish(day(1), first);
  await database.publish(day(2), { products });
  await database.publish(day(3), { curation: curationOf() });
  const state = stateAt(database.connection, 3);
  expect([1, 2, 3].map((sequence) => state.aboutAt(sequence)?.title)).toEqual([title, title, undefined]);
});

test('a fault in it refuses the snapshot together with all other faults, and is never set aside', async () => {
  const database = new TestDatabase();
  const curation = curationOf({
    about: { source_url: 'board.example', licence: 'CC0-1.0' },
    brands: Array.from({ length: 200 }, (_, index) => ({ slug: `b-${index}`, name: 'B', aliases: [], reviewed: true })),
  });
  const problems = [
    'curation.json about.source_url: expected an http or https URL, got "board.example"',
    'curation.json about.licence: expected only the keys title, agency, notice, license, source_url, contact, doi, spatial_coverage, got "licence"',
  ];
  const snapshot = { ...first, curation };
  expect(await database.problemsOf(day(1), snapshot, { quarantine: true })).toEqual(problems);
  const wrong = { ...snapshot, products: [productLine('000001', { price_minor: -1 })] };
  expect(await database.problemsOf(day(1), wrong)).toEqual([
    ...problems,
    'products.ndjson:1 price_minor: expected an integer of at least 0, got -1',
  ]);
});
