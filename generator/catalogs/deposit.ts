import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { TableHeader } from '../../contract/columns/parquet.ts';
import { tableFileName } from '../../contract/export-names.ts';
import { exportFiles, formatPath, objectPath } from '../../contract/paths.ts';
import type { DataPackage } from '../../contract/schemas/data-package.ts';
import type { About } from '../../contract/schemas/metadata.ts';
import { parseJson } from '../../contract/text.ts';
import { Failure } from '../files/failure.ts';
import { createFile } from '../files/new-file.ts';
import { beginFolder } from '../files/new-folder.ts';
import { baseAddress, profileIn, requireBuiltSite, soundDocument } from '../site/built-site.ts';
import { Storage } from '../site/storage.ts';
import { piecesDigest } from '../tables/pieces.ts';
import { TableFile } from '../tables/table-file.ts';
import { datasetKeywords } from './dataset.ts';

export const zenodoFile = 'zenodo.json';

const descriptions = {
  SHA256SUMS: 'export_checksums',
  'CITATION.cff': 'export_citation',
  'datapackage.json': 'export_package',
} as const;

/**
 * Writes the export files of a publication into a new flat folder for an archive such as Zenodo: with their
 * descriptions, and with the metadata of the deposit as Zenodo's API takes it. The same publication makes the same
 * bytes. Every file is compared with its hash as it is copied. The folder appears whole or not at all. `revision`: null
 * for the current publication. Throws a Failure if there is no site or no such publication in it, if a file is damaged,
 * or if the folder exists.
 */
export function depositPublication(directory: string, out: string, revision: string | null) {
  const storage = new Storage(directory);
  const site = requireBuiltSite(directory, storage);
  const wanted = revision ?? site.pointer.revision;
  const publication = site.pointer.publications.find((one) => one.revision === wanted);
  if (!publication) {
    const known = site.pointer.publications.map((one) => one.revision);
    throw new Failure(
      'wrong_value',
      `${wanted}: expected the revision of a retained publication, one of ${known.join(', ')}`,
    );
  }
  const { temporary, commit, discard } = beginFolder(out, 'deposit');
  const paths = new Map([
    ...exportFiles(wanted),
    ...Object.entries(descriptions).map(([name, kind]) => [name, formatPath(kind, { revision: wanted })] as const),
  ]);
  try {
    let bytes = 0;
    for (const [name, path] of paths) {
      const sha256 = site.routes.get(path)?.sha256;
      if (sha256 === undefined) throw new Failure('site_damaged', `${path}: expected its file, got no route`);
      bytes += copySound(storage, path, sha256, join(temporary, name));
    }
    const path = formatPath('export_package', { revision: wanted });
    const described = soundDocument(storage, site.routes, path) as DataPackage;
    const table = join(temporary, tableFileName('products'));
    const { about = null } = parseJson(
      new TableFile(table, statSync(table).size).header ?? '{}',
    ) as Partial<TableHeader>;
    const keywords = datasetKeywords(profileIn(storage, site.routes));
    const metadata = depositMetadata(described, about, baseAddress(storage, site) || null, keywords);
    const text = Buffer.from(`${JSON.stringify({ metadata }, null, 2)}\n`);
    createFile(join(temporary, zenodoFile), (append) => append(text));
    commit();
    const { sequence, published_at } = publication;
    const isOpen = metadata.access_right === 'open';
    return { revision: wanted, sequence, published_at, files: paths.size + 1, bytes: bytes + text.length, isOpen };
  } catch (error) {
    discard();
    throw error;
  }
}

/** Copies an object, and returns its size. Throws a Failure if it is missing or damaged. */
function copySound(storage: Storage, path: string, sha256: string, file: string): number {
  const content = piecesDigest();
  const isThere = createFile(file, (append) =>
    storage.readPieces(objectPath(sha256), (bytes) => {
      content.take(bytes);
      append(bytes);
    }),
  );
  const got = content.reference();
  if (isThere && got.sha256 === sha256) return got.size;
  throw new Failure('site_damaged', `${path}: expected its file with SHA-256 ${sha256}, got none or another`);
}

/**
 * Metadata as Zenodo's API takes it (https://developers.zenodo.org/#representation). `about`: what the operator stated
 * of this publication. `site`: the URL before its `/v1`. Zenodo gives an open deposit without a license the license
 * CC0, which only the operator may choose, so such a deposit is closed.
 */
function depositMetadata(
  described: DataPackage,
  about: About | null,
  site: string | null,
  keywords: readonly string[],
) {
  const [license] = described.licenses ?? [];
  const related = [
    ...(site === null ? [] : [{ identifier: `${site}/v1`, relation: 'isPartOf' }]),
    ...(about?.doi ? [{ identifier: about.doi, relation: 'isPartOf' }] : []),
    ...(about?.source_url ? [{ identifier: about.source_url, relation: 'isDerivedFrom' }] : []),
  ];
  const [publisher] = described.contributors ?? [];
  const name = about?.agency ?? publisher?.title ?? (site === null ? 'unnamed' : new URL(site).host);
  return {
    upload_type: 'dataset',
    title: `${described.title}, ${described.created.slice(0, 10)}`,
    description: `<p>${escapedForHtml(described.description)}</p>`,
    creators: [{ name }],
    publication_date: described.created.slice(0, 10),
    version: described.version,
    access_right: license ? 'open' : 'closed',
    ...(license ? { license: license.name.toLowerCase() } : {}),
    keywords,
    ...(related.length > 0 ? { related_identifiers: related } : {}),
  };
}

function escapedForHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
