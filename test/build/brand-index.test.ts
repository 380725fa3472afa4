import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Brand, BrandIndex } from '../../generator/contract/documents/curation.ts';
import { build, publishFixtures, temporaryFolder } from './fixture-series.ts';
import { documentAt } from './site-tree.ts';

const folder = temporaryFolder();
const dist = join(folder.path, 'dist');
let index: BrandIndex;

beforeAll(async () => {
  await publishFixtures(join(folder.path, 'db.sqlite'));
  await build(join(folder.path, 'db.sqlite'), dist);
  index = documentAt<BrandIndex>(dist, '/v1/brands/index.json');
});
afterAll(folder.remove);

test('the brand index has the rows and warnings of /brands, in their order', () => {
  const list = documentAt<{ data: Brand[]; meta: { warnings: object[] } }>(dist, '/v1/brands');
  expect(index.brands.map(({ brand }) => brand)).toEqual(list.data);
  expect(index.warnings).toEqual(list.meta.warnings);
  expect(list.data.length).toBeGreaterThan(10);
});

test('a brand answers to its folded name, slug and aliases, each once', () => {
  const namesOf = (slug: string) => index.brands.find(({ brand }) => brand.slug === slug)?.names;
  expect(namesOf('chateau-d-ombre')).toEqual(['chateau dombre', 'chateau-d-ombre', 'ch. dombre']);
  expect(namesOf('corvane')).toEqual(['corvane']);
  expect(namesOf('tolliver-quane')?.slice(0, 2)).toEqual(['tolliver & quane', 'tolliver-quane']);
});
