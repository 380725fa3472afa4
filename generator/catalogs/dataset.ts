import { describeTable, tableColumns } from '../../contract/columns/parquet.ts';
import { exportSchemaVersion } from '../../contract/columns/table.ts';
import { parquetMediaType } from '../../contract/headers.ts';
import { spdxLicense } from '../../contract/licenses.ts';
import type { Profile } from '../../contract/profile.ts';
import type { Croissant } from '../../contract/schemas/croissant.ts';
import { type DataLicense, publisherName } from '../../contract/schemas/data-package.ts';
import { type About, contactPoint, siteDescription } from '../../contract/schemas/metadata.ts';
import type { ObjectReference } from '../../contract/schemas/site-files.ts';
import { siteName } from '../../contract/site-name.ts';
import { type PackagedTable, packagedTables } from './tables-package.ts';

/*
 * Describes the tables as a dataset, in the vocabularies that search engines and catalogs read: schema.org, Croissant,
 * which adds the columns to it, and DCAT-US.
 */

export type DatasetFacts = {
  readonly revision: string;
  readonly sequence: number;
  readonly published_at: string;
  /** When the first publication was published. */
  readonly first_published_at: string;
  readonly about: About | null;
  readonly license: DataLicense | null;
  readonly profile: Profile;
  /** The regions of the stores, such as `UT`. */
  readonly regions: readonly string[];
  /** Stands for a publisher that the operator does not name; null if the host is not known. */
  readonly host: string | null;
  readonly home: string;
  readonly address: (path: string) => string;
  readonly fileOf: (table: PackagedTable) => ObjectReference & { readonly path: string };
};

/** The context that the specification recommends, without unused names. */
const context = {
  '@language': 'en',
  '@vocab': 'https://schema.org/',
  sc: 'https://schema.org/',
  cr: 'http://mlcommons.org/croissant/',
  dct: 'http://purl.org/dc/terms/',
  citeAs: 'cr:citeAs',
  column: 'cr:column',
  conformsTo: 'dct:conformsTo',
  dataType: { '@id': 'cr:dataType', '@type': '@vocab' },
  extract: 'cr:extract',
  field: 'cr:field',
  fileObject: 'cr:fileObject',
  isArray: 'cr:isArray',
  isLiveDataset: 'cr:isLiveDataset',
  key: 'cr:key',
  recordSet: 'cr:recordSet',
  references: 'cr:references',
  source: 'cr:source',
} as const;

/** The dataset with the columns of its tables, and the keys between them. */
export function makeCroissant(facts: DatasetFacts): Croissant {
  return {
    '@context': context,
    '@type': 'sc:Dataset',
    conformsTo: 'http://mlcommons.org/croissant/1.1',
    ...sharedMembers(facts),
    // New data do not raise the version of a live dataset.
    version: `${exportSchemaVersion}.0.0`,
    isLiveDataset: true,
    creator: creatorOf(facts),
    publisher: publisherOf(facts),
    citeAs: citation(facts),
    distribution: packagedTables.map((table) => {
      const { path, size, sha256 } = facts.fileOf(table);
      return {
        '@type': 'cr:FileObject',
        '@id': fileName(table),
        name: fileName(table),
        description: table.meaning,
        contentUrl: facts.address(path),
        contentSize: `${size} B`,
        encodingFormat: 'application/x-parquet',
        ...(path.includes(facts.revision) ? { sha256 } : {}),
      };
    }),
    recordSet: packagedTables.map((table) => describedRecords(table, facts.profile)),
  };
}

/** The dataset for a web page, in schema.org alone: files without their columns. */
export function makeDataset(facts: DatasetFacts): object {
  const plain = ({ '@type': _, ...members }: Croissant['publisher']) => ({ '@type': 'Organization', ...members });
  return {
    '@context': 'https://schema.org/',
    '@type': 'Dataset',
    ...sharedMembers(facts),
    spatialCoverage: { '@type': 'Place', name: placeName(facts) },
    version: facts.revision,
    creator: plain(creatorOf(facts)),
    publisher: plain(publisherOf(facts)),
    distribution: packagedTables.map((table) => {
      const { path, size, sha256 } = facts.fileOf(table);
      return {
        '@type': 'DataDownload',
        name: fileName(table),
        description: table.meaning,
        contentUrl: facts.address(path),
        contentSize: `${size} B`,
        encodingFormat: parquetMediaType,
        sha256,
      };
    }),
  };
}

function sharedMembers(facts: DatasetFacts) {
  const { about, license, profile, home, address, published_at, first_published_at } = facts;
  const spdx = license && spdxLicense(license.name);
  const licenseUrl = license?.path ?? (spdx === null ? license?.name : `https://spdx.org/licenses/${spdx}`);
  return {
    name: siteName(about, profile.inventory),
    description: `${siteDescription(about, profile)} The newest tables, and tables over time, as Parquet.`,
    url: address(home),
    datePublished: first_published_at,
    dateModified: published_at,
    temporalCoverage: `${first_published_at}/${published_at}`,
    spatialCoverage: { '@type': 'sc:Place' as const, name: placeName(facts) },
    inLanguage: profile.language,
    keywords: datasetKeywords(profile),
    isAccessibleForFree: true as const,
    ...(licenseUrl === undefined ? {} : { license: licenseUrl }),
    ...(about?.doi ? { identifier: `https://doi.org/${about.doi}` } : {}),
  };
}

/** The title or contact of the publisher, or the host of the site. */
export function publisherText({ about, host }: DatasetFacts): string {
  return publisherName(about) ?? host ?? 'unnamed';
}

function creatorOf(facts: DatasetFacts) {
  const { about } = facts;
  const url = about?.source_url ? { url: about.source_url } : {};
  return { '@type': 'sc:Organization' as const, name: about?.agency ?? publisherText(facts), ...url };
}

function publisherOf(facts: DatasetFacts) {
  const point = facts.about && contactPoint(facts.about);
  return { '@type': 'sc:Organization' as const, name: publisherText(facts), ...point };
}

export function datasetKeywords({ inventory }: Profile): string[] {
  const words = ['alcohol', 'spirits', 'wine', 'beer', 'retail prices', 'price history', 'product catalog'];
  return inventory === 'none' ? words : [...words, 'store inventory', 'availability'];
}

/** The area that the operator states, or the regions of the stores, if they are few, and the country. */
export function placeName({ about, profile: { country }, regions }: DatasetFacts): string {
  if (about?.spatial_coverage) return about.spatial_coverage;
  return [...(regions.length <= 3 ? regions : []), country].join(', ');
}

/** The citation in BibTeX, as Croissant recommends. */
function citation(facts: DatasetFacts): string {
  const { about, revision, published_at, profile, host, home, address } = facts;
  const members = {
    title: escapedForTex(siteName(about, profile.inventory)),
    // Inner braces stop BibTeX from splitting an agency into first and last name.
    author: `{${escapedForTex(about?.agency ?? publisherText(facts))}}`,
    publisher: escapedForTex(publisherText(facts)),
    year: published_at.slice(0, 4),
    version: revision,
    ...(host === null ? {} : { url: address(home) }),
    ...(about?.doi ? { doi: about.doi } : {}),
  };
  const lines = Object.entries(members).map(([name, value]) => `  ${name} = {${value}}`);
  return `@misc{${revision},\n${lines.join(',\n')}\n}`;
}

/** Escapes TeX's special characters, or leaves them out if that needs a command. */
function escapedForTex(text: string): string {
  return text.replace(/[{}\\^~]/g, '').replace(/[&%#_$]/g, String.raw`\$&`);
}

function fileName({ name }: PackagedTable): string {
  return `${name}.parquet`;
}

const dataTypes = {
  uuid: 'sc:Text',
  'uuid bytes': 'sc:Text',
  string: 'sc:Text',
  object: 'sc:Text',
  'array of string': 'sc:Text',
  integer: 'sc:Integer',
  decimal: 'sc:Float',
  number: 'sc:Float',
  boolean: 'sc:Boolean',
  'date-time': 'sc:DateTime',
} as const;

function describedRecords(table: PackagedTable, profile: Profile): Croissant['recordSet'][number] {
  const meanings = describeTable(table.table, profile);
  const fieldId = (of: string, column: string) => ({ '@id': `${of}/${column}` });
  const references = new Map(table.references.map(([column, other, key]) => [column, fieldId(other, key)]));
  return {
    '@type': 'cr:RecordSet',
    '@id': table.name,
    name: table.name,
    description: table.meaning,
    ...(table.key.length > 0 ? { key: table.key.map((column) => fieldId(table.name, column)) } : {}),
    field: tableColumns(table.table, profile).map(({ name, type }, index) => {
      const refersTo = references.get(name);
      const { meaning = name, unit = null } = meanings[index] ?? {};
      return {
        '@type': 'cr:Field',
        ...fieldId(table.name, name),
        name,
        description: unit === null ? meaning : `${meaning} (${unit})`,
        dataType: dataTypes[type],
        ...(type === 'array of string' ? { isArray: true as const } : {}),
        source: { fileObject: { '@id': fileName(table) }, extract: { column: name } },
        ...(refersTo ? { references: { field: refersTo } } : {}),
      };
    }),
  };
}
