import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import ajvFormats from 'ajv-formats';
import { expand } from 'jsonld';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildSite } from '../../generator/assembly/build-site.ts';
import { bundledExplorer } from '../support/programs.ts';
import { curationOf, headerOf, productLine, storeLine } from '../support/snapshot-writer.ts';
import { build, publishParts, temporaryFolder } from '../units/fixture-series.ts';
import { documentAt, readSite } from '../units/site-tree.ts';

const { path: folder, remove } = temporaryFolder();
const [database, site, plain] = ['publication.sqlite', 'site', 'plain'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
const schemas = new URL('schemas/', import.meta.url);
const base = 'https://stock.example.org';

const about = {
  title: 'Orchard </script> prices & stock',
  agency: 'Orchard Board',
  license: { name: 'CC-BY-4.0', url: 'https://creativecommons.org/licenses/by/4.0/' },
  source_url: 'https://board.example/lists',
  contact: 'prices@orchard.example',
  doi: '10.5281/zenodo.1234567',
  spatial_coverage: 'Orchard County',
};

beforeAll(async () => {
  for (const [day, price] of [1099, 1199].entries()) {
    const parts = {
      products: [productLine('000001', { price_minor: price })],
      stores: [storeLine('0001')],
      curation: curationOf({ about }),
    };
    const header = headerOf({ published_at: `2025-03-0${day + 1}T12:00:00Z` }, parts);
    await publishParts(database, { header, ...parts });
  }
  const defaults = { exports: 'retained', keepAll: false, full: false } as const;
  await buildSite(
    { database, out: site, baseUrl: `${base}/v1`, explorer: bundledExplorer(), ...defaults },
    () => undefined,
  );
  await build(database, plain);
});
afterAll(remove);

/** A validator of published schemas of older drafts, which say nothing that draft 7 does not. */
function validator(...names: readonly string[]): Ajv {
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false, formats: { textarea: true } });
  ajvFormats.default(ajv);
  for (const folder of names) {
    for (const name of readdirSync(new URL(`${folder}/`, schemas))) {
      const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(new URL(`${folder}/${name}`, schemas), 'utf8'));
      // Bureaus and programs are those of the federal government.
      const required = schema.required?.filter((member: string) => !['bureauCode', 'programCode'].includes(member));
      ajv.addSchema({ ...schema, ...(required ? { required } : {}) }, name);
    }
  }
  return ajv;
}

function expectValid(ajv: Ajv, schema: string, document: unknown): void {
  ajv.validate(schema, document);
  expect(ajv.errors ?? []).toEqual([]);
}

describe('a site says of itself, as published schemas have it', () => {
  test('data packages of each publication and of the tables', () => {
    const ajv = validator('data-package');
    const paths = [...readSite(site).routes.keys()].filter((path) => path.endsWith('/datapackage.json'));
    expect(paths.length).toBeGreaterThan(2);
    for (const path of paths) expectValid(ajv, 'datapackage.json', documentAt(site, path));
  });

  test('a catalog of DCAT-US', () => {
    const catalog = documentAt<{ dataset: { distribution: { downloadURL?: string }[] }[] }>(
      site,
      '/v1/exports/dcat.json',
    );
    expectValid(validator('dcat-us'), 'catalog.json', catalog);
    const { routes } = readSite(site);
    const files = catalog.dataset[0]?.distribution.flatMap(({ downloadURL }) => downloadURL ?? []) ?? [];
    expect(files).toHaveLength(10);
    for (const file of files) expect(routes.has(file.slice(base.length)), file).toBe(true);
    expect(readSite(plain).routes.has('/v1/exports/dcat.json')).toBe(false);
  });

  test.each([
    ['absolute URLs', () => site],
    ['paths', () => plain],
  ])('a dataset of Croissant and schema.org, with %s', async (_, folderOf) => {
    type Dataset = { distribution: { contentUrl: string; sha256: string; contentSize: string }[] };
    const dataset = documentAt<Dataset>(folderOf(), '/v1/exports/croissant.json');
    const { routes } = readSite(folderOf());
    for (const { contentUrl, sha256, contentSize } of dataset.distribution) {
      const { href } = new URL(contentUrl, `${base}/v1/exports/croissant.json`);
      const route = routes.get(href.replace(base, ''));
      expect(`${route?.size} B`).toBe(contentSize);
      // What changes at its address has no hash in a live dataset.
      expect(sha256).toBe(route?.cache === 'immutable' ? route.sha256 : undefined);
    }
    // Safe mode refuses every member that the context does not give a meaning.
    const options = { safe: true, base: 'https://example.org/' } as object;
    const [expanded] = (await (expand(dataset as never, options) as unknown)) as Record<string, unknown>[];
    expect(expanded?.['@type']).toEqual(['https://schema.org/Dataset']);
    expect(expanded?.['http://purl.org/dc/terms/conformsTo']).toEqual([
      { '@value': 'http://mlcommons.org/croissant/1.1', '@language': 'en' },
    ]);
    const records = expanded?.['http://mlcommons.org/croissant/recordSet'] as Record<string, { '@id': string }[]>[];
    const fields = records.flatMap((record) => record['http://mlcommons.org/croissant/field'] ?? []);
    const ids = new Set(fields.map((field) => field['@id']));
    expect(ids.size).toBe(fields.length);
    const references = [...JSON.stringify(records).matchAll(/"(?:[^"]*)\/(?:key|references)":\[(\{[^\]]*)\]/g)];
    expect(references.length).toBeGreaterThan(10);
    for (const [, text = ''] of references)
      for (const [, id] of text.matchAll(/"@id":"([^"]+)"/g)) expect(ids, id).toContain(id);
  });

  test('the dataset in the page is in the vocabulary of schema.org alone, and cannot end the script', async () => {
    const page = readFileSync(join(site, 'site/index.html'), 'utf8');
    const embedded = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)?.[1] ?? '';
    const dataset = JSON.parse(embedded);
    expect(dataset).toMatchObject({
      '@context': 'https://schema.org/',
      '@type': 'Dataset',
      name: about.title,
      identifier: `https://doi.org/${about.doi}`,
      license: about.license.url,
      spatialCoverage: { name: 'Orchard County' },
      temporalCoverage: '2025-03-01T12:00:00Z/2025-03-02T12:00:00Z',
      creator: { '@type': 'Organization', name: 'Orchard Board' },
    });
    const { routes } = readSite(site);
    expect(dataset.distribution).toHaveLength(10);
    for (const { '@type': type, contentUrl, sha256 } of dataset.distribution)
      expect([type, sha256]).toEqual(['DataDownload', routes.get(contentUrl.slice(base.length))?.sha256]);
  });

  test('a citation for BibTeX, with the characters of TeX escaped', () => {
    const { citeAs } = documentAt<{ citeAs: string }>(site, '/v1/exports/croissant.json');
    expect(citeAs).toContain('title = {Orchard </script> prices \\& stock}');
    expect(citeAs).toContain('author = {{Orchard Board}}');
    expect(documentAt<{ citeAs: string }>(plain, '/v1/exports/croissant.json').citeAs).not.toContain('url =');
  });

  test('a catalog of its API, whose links lead somewhere', () => {
    for (const [folder, root] of [
      [site, base],
      [plain, ''],
    ] as const) {
      const { routes } = readSite(folder);
      const text = readFileSync(join(folder, 'site/.well-known/api-catalog'), 'utf8');
      type Link = { readonly href: string };
      const { linkset } = JSON.parse(text) as { linkset: (Record<string, Link[]> & { anchor: string })[] };
      const links = linkset.flatMap(({ anchor, ...relations }) => [
        anchor,
        ...Object.values(relations)
          .flat()
          .map(({ href }) => href),
      ]);
      expect(links.length).toBeGreaterThan(6);
      for (const link of links) expect(routes.has(link.slice(root.length)), link).toBe(true);
      expect(routes.get('/.well-known/api-catalog')?.media_type).toBe(
        'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
      );
    }
  });

  test('a sitemap with its page', () => {
    const locations: string[] = [];
    const parser = new SaxesParser({ xmlns: true });
    let text = '';
    parser.on('text', (part) => {
      text += part;
    });
    parser.on('closetag', ({ local, uri }) => {
      expect(uri).toBe('http://www.sitemaps.org/schemas/sitemap/0.9');
      if (local === 'loc') locations.push(text.trim());
      text = '';
    });
    parser.write(readFileSync(join(site, 'site/sitemap.xml'), 'utf8')).close();
    expect(locations).toEqual([`${base}/`]);
    expect(readSite(plain).routes.has('/sitemap.xml')).toBe(false);
  });

  test('the manifest at an address that every host has', () => {
    expect(documentAt(plain, '/v1/exports/latest.json')).toEqual(documentAt(plain, '/v1/exports'));
  });
});
