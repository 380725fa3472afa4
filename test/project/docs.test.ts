import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { exportHeader } from '../../contract/columns/export.ts';
import { usualProfile } from '../../contract/profile.ts';
import { brandIndex } from '../../contract/schemas/brand.ts';
import { browseIndex } from '../../contract/schemas/browse.ts';
import { afterPieces, changePiece, changePieces } from '../../contract/schemas/change-pieces.ts';
import { keySuccession, listedPointers, pointerSignature } from '../../contract/schemas/checkpoint.ts';
import { activity } from '../../contract/schemas/metadata.ts';
import { pageIndex, pageSegment, pageSummary } from '../../contract/schemas/pages.ts';
import { warningCode } from '../../contract/schemas/primitives.ts';
import { productSeries } from '../../contract/schemas/product.ts';
import { pointer, route, routeTableRoot, variant } from '../../contract/schemas/site-files.ts';
import { comparisonStores } from '../../contract/schemas/store.ts';
import * as format from '../../generator/snapshot/format.ts';
import { readText, root, sourcesIn } from './repository.ts';

const pages = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'],
  'templates/worker/README.md',
  'bench/README.md',
  ...markdownIn('docs'),
];

/**
 * Pages below a folder, as paths from the root of the repository, in order. Not those of the packages that make the
 * site of the docs.
 */
function markdownIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('website/'))
    .map((name) => `${folder}/${name}`)
    .sort();
}

/** Names of fields on a page: in code, alone, in lists, or in braces. */
function codeIn(page: string): Set<string> {
  const spans = [...readText(page).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  return new Set(spans.flatMap((span) => span.match(/[A-Za-z_0-9]+/g) ?? []));
}

function expectAll(page: string, names: Iterable<string>): void {
  const found = codeIn(page);
  expect([...names].filter((name) => !found.has(name))).toEqual([]);
}

/** Field names and enumerated values of a schema, at any depth. */
function wordsOf(schema: z.ZodType): string[] {
  const definition = schema.def as unknown as Record<string, unknown>;
  const entries = (definition.entries ?? {}) as Record<string, string>;
  const shape = (definition.shape ?? {}) as Record<string, z.ZodType>;
  const inner = [definition.element, definition.innerType, definition.in, ...((definition.items as []) ?? [])];
  return [
    ...Object.keys(shape),
    ...Object.values(entries),
    ...[...Object.values(shape), ...inner].flatMap((part) => (part ? wordsOf(part as z.ZodType) : [])),
  ];
}

test.each(pages)('the links on %s lead somewhere', (page) => {
  for (const [, target = ''] of readText(page).matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^https?:/.test(target)) continue;
    const [file = '', anchor] = target.split('#');
    const path = file === '' ? page : join(dirname(page), file);
    expect(existsSync(join(root, path)), `${page} links to ${target}`).toBe(true);
    if (!anchor) continue;
    const headings = [...readText(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => slugOf(heading));
    expect(headings, `${page} links to ${target}`).toContain(anchor);
  }
});

const decisions = pages.filter((page) => page.startsWith('docs/decisions/') && !page.endsWith('/README.md'));

test('SECURITY.md has at most 500 words, so that people read it before they report anything', () => {
  expect(readText('SECURITY.md').match(/\S+/g)?.length).toBeLessThanOrEqual(500);
});

describe('ARCHITECTURE.md', () => {
  test('is short enough to be read in one sitting', () => {
    expect(readText('ARCHITECTURE.md').match(/\S+/g)?.length).toBeLessThanOrEqual(1500);
  });

  test('says what each package is for', () => {
    const { dependencies, devDependencies } = JSON.parse(readText('package.json'));
    const [, section = ''] = readText('ARCHITECTURE.md').split('\n## Packages\n');
    const named = [...section.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, names = '']) => names.split(', '));
    const packages = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !name.startsWith('@types/'));
    expect(named.filter((name) => !/^(at|for) /.test(name)).sort()).toEqual(packages.sort());
  });

  test('and the index of decisions link to every page of decisions', () => {
    expect(decisions).not.toEqual([]);
    for (const page of decisions) {
      expect(readText('ARCHITECTURE.md')).toContain(`](${page})`);
      expect(readText('docs/decisions/README.md')).toContain(`](${page.replace('docs/decisions/', '')})`);
    }
  });
});

test.each(decisions)('every decision of %s is a heading and a paragraph of at most 100 words', (page) => {
  const [, ...sections] = readText(page).split(/^(?=#{2,3} )/m);
  const long = sections.filter((text) => {
    const [, ...paragraphs] = text.trim().split('\n\n');
    return paragraphs.length > 1 || paragraphs.join().split(/\s+/).length > 100;
  });
  expect(sections.length).toBeGreaterThan(4);
  expect(long).toEqual([]);
});

function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

describe('docs/snapshot-format.md', () => {
  test.each([
    ['snapshot.json', format.snapshotHeader],
    ['products.ndjson', format.partSchemas(usualProfile).productLine],
    ['stores.ndjson', format.partSchemas(usualProfile).storeLine],
    ['inventory.ndjson', format.partSchemas(usualProfile).inventoryLine],
    ['inventory_scope.json', format.partSchemas(usualProfile).inventoryScope],
    ['curation.json', format.partSchemas(usualProfile).curation],
  ])('names every field and value of %s', (_file, schema) => {
    expect(wordsOf(schema)).not.toEqual([]);
    expectAll('docs/snapshot-format.md', wordsOf(schema));
  });

  test('explains every warning', () => {
    for (const code of warningCode.options) expect(readText('docs/snapshot-format.md')).toContain(`| \`${code}\` |`);
  });
});

test('docs/research.md names every field in the NDJSON header and in the list of pieces', () => {
  const schemas = [exportHeader.shape.header, changePieces, changePiece, afterPieces];
  for (const { shape } of schemas) expectAll('docs/research.md', Object.keys(shape));
});

test('docs/contract.md names every field of the formats that are not in the OpenAPI description', () => {
  const ofSite = [
    pointer,
    pointerSignature,
    listedPointers,
    keySuccession,
    routeTableRoot,
    route,
    variant,
    pageIndex,
    pageSegment,
    pageSummary,
  ];
  const ofBrowsing = [brandIndex, brandIndex.shape.brands.element, browseIndex, browseIndex.shape.columns];
  const ofActivity = [activity, activity.shape.publications, activity.shape.prices.unwrap()];
  const { retrievals, statuses, presence } = productSeries.shape;
  const ofSeries = [productSeries, retrievals, statuses, presence];
  for (const { shape } of [...ofSite, ...ofBrowsing, ...ofActivity, ...ofSeries, comparisonStores]) {
    expectAll('docs/contract.md', Object.keys(shape));
  }
});

test('every file that CONTRIBUTING.md names is there', () => {
  const named = readText('CONTRIBUTING.md').match(/(?<=`)(?:generator|shim|test)\/[\w./-]+(?=`)/g) ?? [];
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

describe('README.md', () => {
  const readme = readText('README.md');

  test('can be read in three minutes: it has at most 800 words', () => {
    expect(readme.match(/\S+/g)?.length).toBeLessThanOrEqual(800);
  });

  test('has the two commands that set up a fresh machine', () => {
    for (const command of ['npm ci && npm start', 'npm ci && npm test']) {
      expect(readme).toMatch(new RegExp(`^${command} `, 'm'));
    }
  });

  test('links to every page in docs/', () => {
    const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
    expect(pages.filter((name) => !readme.includes(`| [docs/${name}](docs/${name}) |`))).toEqual([]);
  });

  test('says what the data is, and what it is not', () => {
    expect(readme).toContain('Reported quantities are observations');
    expect(readme).toContain('never calls a decrease a sale');
    expect(readme).toMatch(/independent\s+of the agency/);
    expect(readme).toContain('The bundled snapshots are invented');
  });
});

test('every citation of the contract, such as contract.md 3 and 4, leads to one of its sections', () => {
  const sections = readText('docs/contract.md').match(/(?<=^## )\d+(?=\. )/gm) ?? [];
  const cited = ['generator', 'shim', 'test']
    .flatMap(sourcesIn)
    .flatMap((file) => readText(file).match(/(?<=contract\.md )\d+(?:(?:, | and )\d+)*/g) ?? [])
    .flatMap((list) => list.split(/, | and /));
  expect(cited.length).toBeGreaterThan(40);
  expect(sections).toEqual(expect.arrayContaining(cited));
});
