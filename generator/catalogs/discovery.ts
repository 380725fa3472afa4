import { atomMediaType, jsonMediaType, parquetMediaType } from '../../contract/headers.ts';
import { type Addresser, formatPath, prefix } from '../../contract/paths.ts';
import { type DcatCatalog, dcatSchema } from '../../contract/schemas/dcat.ts';
import { contactPoint, siteDescription } from '../../contract/schemas/metadata.ts';
import { siteName } from '../../contract/site-name.ts';
import { text, xmlDocument } from '../documents/atom.ts';
import { type DatasetFacts, datasetKeywords, placeName, publisherText } from './dataset.ts';
import { packagedTables } from './tables-package.ts';

/* These files lead machines to a site: catalogs of data and of APIs, and search engines. */

/**
 * The catalog of the service's API (RFC 9727): links (RFC 9264) from the root of the API to its descriptions. `address`
 * may return paths, which are relative to the catalog's own address.
 */
export function apiCatalog(address: Addresser, home: string): Uint8Array {
  const link = (kind: 'openapi' | 'metadata' | 'croissant' | 'tables_package', type = jsonMediaType) => ({
    href: address(formatPath(kind)),
    type,
  });
  const linkset = [
    { anchor: address(formatPath('api_catalog')), item: [{ href: address(prefix), type: jsonMediaType }] },
    {
      anchor: address(prefix),
      'service-desc': [link('openapi')],
      'service-doc': [{ href: address(home) }],
      'service-meta': [link('metadata')],
      describedby: [link('croissant'), link('tables_package')],
      alternate: [{ href: address(formatPath('publications_feed')), type: atomMediaType }],
    },
  ];
  return Buffer.from(`${JSON.stringify({ linkset })}\n`);
}

/** A list of pages for search engines (sitemaps.org). `address` must return absolute URLs. */
export function sitemap(address: Addresser, publishedAt: string): Uint8Array {
  const page = `<url>${text('loc', address('/'))}${text('lastmod', publishedAt)}</url>`;
  return xmlDocument('urlset', 'http://www.sitemaps.org/schemas/sitemap/0.9', [page]);
}

/**
 * The dataset as a catalog in DCAT-US. `facts.address` must return absolute URLs, because catalogs copy the document
 * elsewhere. Null if the operator gave no email address, which portals require.
 */
export function makeDcatCatalog(facts: DatasetFacts): DcatCatalog | null {
  const point = facts.about && contactPoint(facts.about);
  const email = point && 'email' in point ? point.email : null;
  if (email === null) return null;
  const { about, license, profile, home, address, published_at, first_published_at } = facts;
  const publisher = publisherText(facts);
  const files = packagedTables.map((table) => ({
    '@type': 'dcat:Distribution' as const,
    title: table.name,
    description: table.meaning,
    format: 'Parquet',
    mediaType: parquetMediaType,
    downloadURL: address(facts.fileOf(table).path),
  }));
  const service = {
    '@type': 'dcat:Distribution' as const,
    title: 'API',
    description: 'Every answer of the service as JSON',
    format: 'API',
    accessURL: address(prefix),
    describedBy: address(formatPath('openapi')),
    describedByType: jsonMediaType,
  };
  return {
    '@context': 'https://project-open-data.cio.gov/v1.1/schema/catalog.jsonld',
    '@id': address(formatPath('dcat')),
    '@type': 'dcat:Catalog',
    conformsTo: dcatSchema,
    describedBy: `${dcatSchema}/catalog.json`,
    dataset: [
      {
        '@type': 'dcat:Dataset',
        title: siteName(about, profile.inventory),
        description: siteDescription(about, profile),
        identifier: about?.doi ? `https://doi.org/${about.doi}` : address(home),
        accessLevel: 'public',
        publisher: { '@type': 'org:Organization', name: publisher },
        contactPoint: {
          '@type': 'vcard:Contact',
          fn: publisher,
          hasEmail: `mailto:${email}`,
        },
        modified: published_at,
        issued: first_published_at,
        temporal: `${first_published_at}/${published_at}`,
        spatial: placeName(facts),
        keyword: datasetKeywords(profile),
        language: [profile.language],
        landingPage: address(home),
        ...(license?.path === undefined ? {} : { license: license.path }),
        describedBy: address(formatPath('tables_package')),
        describedByType: jsonMediaType,
        distribution: [...files, service],
      },
    ],
  };
}
