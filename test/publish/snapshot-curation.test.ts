import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { usualProfile } from '../../contract/profile.ts';
import type { ValueFault } from '../../contract/schemas/checked-value.ts';
import { formatFault } from '../../generator/files/faults.ts';
import { partSchemas } from '../../generator/snapshot/format.ts';
import type { OnBad } from '../../generator/snapshot/row-faults.ts';
import { readCuration } from '../../generator/snapshot/rows.ts';

const category = (id: string, parent_id: string | null = null) => ({ id, parent_id, name: id, active: true });
const brand = (slug: string) => ({ slug, name: slug, aliases: [], reviewed: true });
const family = (slug: string, of: string) => ({ slug, name: slug, brand: of });
const product = (sku: string, of: string | null = null, member: string | null = null) => ({
  sku,
  brand: of,
  family: member,
  relationship_type: null,
  vintage_year: null,
  age_statement: null,
  package: null,
});
const former = (former_sku: string, sku: string) => ({ former_sku, sku });

const good = {
  about: null,
  categories: [category('cat_red', 'cat_wine'), category('cat_wine'), category('cat_merlot', 'cat_red')],
  brands: [brand('orchard'), brand('hill')],
  families: [family('orchard-cider', 'orchard')],
  products: [product('000001', 'orchard', 'orchard-cider'), product('000002', 'hill'), product('000003')],
  sku_history: [former('700001', '000001'), former('700001', '000002'), former('700002', '000001')],
};

async function read(content: string | Buffer, name = 'curation.json') {
  const folder = await mkdtemp(join(tmpdir(), 'snapshot-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, name), content);
  const bad: unknown[] = [];
  const faults: string[] = [];
  const add = (fault: ValueFault) => faults.push(formatFault({ file: 'curation.json', line: null, ...fault }));
  const onBad: OnBad = (row, found) => {
    bad.push(row);
    found.forEach(add);
  };
  const curation = await readCuration(join(folder, name), onBad, add, partSchemas(usualProfile));
  return { curation, bad, faults };
}

/** The faults of a valid curation after its lists are replaced by these, without the name of the file. */
async function faultsWith(change: object): Promise<string[]> {
  const { faults } = await read(JSON.stringify({ ...good, ...change }));
  return faults.map((fault) => fault.replace(/^curation\.json /, ''));
}

test('a sound curation comes out as it went in, packed or not', async () => {
  const sound = { curation: good, bad: [], faults: [] };
  expect(await read(JSON.stringify(good))).toEqual(sound);
  expect(await read(gzipSync(JSON.stringify(good)), 'curation.json.gz')).toEqual(sound);
});

describe('entries that agree where they must not', () => {
  test.each([
    ['categories', category('cat_wine'), 'categories[3].id', '"cat_wine", which categories[1] has too'],
    ['families', family('orchard-cider', 'hill'), 'families[1].slug', '"orchard-cider", which families[0] has too'],
    ['sku_history', former('700002', '000001'), 'sku_history[3]', '"700002 of 000001", which sku_history[2] has too'],
  ] as const)('%s', async (list, entry, field, got) => {
    expect(await faultsWith({ [list]: [...good[list], entry] })).toEqual([
      `${field}: expected a value of its own, got ${got}`,
    ]);
  });
});

describe('entries that name others', () => {
  test.each([
    [
      'sku_history',
      [former('000001', '000001')],
      'sku_history[0].former_sku: expected another sku than the product has, got "000001"',
    ],
    [
      'families',
      [...good.families, family('lost', 'missing')],
      'families[1].brand: expected one of the brands, got "missing"',
    ],
    ['products', [product('000001', 'hill', 'none')], 'products[0].family: expected one of the families, got "none"'],
    [
      'products',
      [product('000001', 'hill', 'orchard-cider')],
      'products[0].family: expected a family of brand hill, got "orchard-cider", which belongs to brand orchard',
    ],
  ])('%s that name nothing that goes with them', async (list, entries, fault) => {
    expect(await faultsWith({ [list]: entries })).toEqual([fault]);
  });

  test('what names an entry that is left out is left out', async () => {
    const { curation, faults } = await read(
      JSON.stringify({ ...good, brands: [{ ...brand('orchard'), name: '' }, brand('hill')] }),
    );
    expect(faults).toEqual([
      'curation.json brands[0].name: expected text that is not blank, got ""',
      'curation.json families[0].brand: expected one of the brands, got "orchard"',
      'curation.json products[0].brand: expected one of the brands, got "orchard"',
    ]);
    expect(curation.products.map(({ sku }) => sku)).toEqual(['000002', '000003']);
  });
});

test('cycles, missing parents, and what is under them', async () => {
  const categories = [
    category('cat_a', 'cat_b'),
    category('cat_b', 'cat_a'),
    category('cat_under', 'cat_a'),
    category('cat_self', 'cat_self'),
    category('cat_lost', 'cat_none'),
    category('cat_wine'),
  ];
  expect(await faultsWith({ categories })).toEqual([
    'categories[0].parent_id: expected a category that is not below this one, got "cat_b"',
    'categories[1].parent_id: expected a category that is not below this one, got "cat_a"',
    'categories[2].parent_id: expected one of the sound categories, got "cat_a"',
    'categories[3].parent_id: expected a category that is not below this one, got "cat_self"',
    'categories[4].parent_id: expected one of the categories, got "cat_none"',
  ]);
});

describe('what the operator states of the data', () => {
  const stated = {
    title: 'Orchard prices',
    agency: 'Orchard Board',
    notice: 'Reports of the board. It does not endorse this site.',
    license: { name: 'CC-BY-4.0', url: 'https://creativecommons.org/licenses/by/4.0/' },
    source_url: 'https://board.example/lists',
    contact: 'prices@orchard.example',
    doi: '10.5281/zenodo.1234567',
    spatial_coverage: 'Orchard County',
  };
  const nothing = Object.fromEntries(Object.keys(stated).map((key) => [key, null]));
  const aboutOf = async (about: unknown) => (await read(JSON.stringify({ ...good, about }))).curation.about;

  test('comes out whole, and what is not stated is null', async () => {
    const license = { name: 'CC0-1.0' };
    for (const [about, outcome] of [
      [stated, stated],
      [{ license }, { ...nothing, license: { ...license, url: null } }],
      [{ contact: 'https://board.example/' }, { ...nothing, contact: 'https://board.example/' }],
      [{ contact: 'mailto:a@b.example' }, { ...nothing, contact: 'a@b.example' }],
      [undefined, null],
      [{}, null],
      [nothing, null],
    ])
      expect(await aboutOf(about)).toEqual(outcome);
  });

  test.each([
    ['Orchard', 'about: expected an object, got "Orchard"'],
    [
      { ...stated, licence: 'CC0-1.0' },
      'about.licence: expected only the keys title, agency, notice, license, source_url, contact, doi, spatial_coverage, got "licence"',
    ],
    [{ agency: 'a\nb' }, 'about.agency: expected one line of printable text, got "a\\nb"'],
    [
      { license: { name: 'CC BY' } },
      'about.license.name: expected a name of letters, digits and .-_, like CC-BY-4.0, got "CC BY"',
    ],
    [
      { license: { name: 'CC0-1.0', url: 'ftp://x.org' } },
      'about.license.url: expected an http or https URL, got "ftp://x.org"',
    ],
    [{ source_url: 'https://x.org/<"' }, 'about.source_url: expected an http or https URL, got "https://x.org/<\\""'],
    [
      { doi: 'https://doi.org/10.5281/zenodo.1' },
      'about.doi: expected a DOI such as 10.5281/zenodo.1234567, got "https://doi.org/10.5281/zenodo.1"',
    ],
    [{ contact: 'me' }, 'about.contact: expected an email address or an http or https URL, got "me"'],
  ])('a fault: %j', async (about, fault) => {
    expect(await faultsWith({ about })).toEqual([fault]);
  });
});

test('a file that is no curation', async () => {
  await expect(read('{"brands": [')).rejects.toThrow('expected a JSON document, got unexpected end of input');
  await expect(read('{"categories": [], "brands": {}, "families": [], "products": []}')).rejects.toMatchObject({
    faults: { total: 2 },
  });
});
