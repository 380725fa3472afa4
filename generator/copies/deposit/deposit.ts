import { join } from 'node:path';
import type { Metadata } from '../../../contract/documents/metadata.ts';
import type { DataPackage } from '../../../contract/formats/data-package.ts';
import type { Croissant } from '../../../contract/formats/dataset.ts';
import { exportFiles, formatPath, objectPath, pointerFile } from '../../../contract/paths.ts';
import { explainFile, Failure } from '../../files/failure.ts';
import { createFile } from '../../files/new-file.ts';
import { beginFolder } from '../../files/new-folder.ts';
import { readPreviousSite } from '../../site/built-site.ts';
import { piecesDigest } from '../../site/encoding/pieces.ts';
import { documentIn } from '../../site/route-table.ts';
import { Storage } from '../../site/storage.ts';

/** The name of the file with what an archive wants to know. */
export const zenodoFile = 'zenodo.json';

/** The files that describe those of a publication, and the kind of their addresses. */
const descriptions = {
  SHA256SUMS: 'export_checksums',
  'CITATION.cff': 'export_citation',
  'datapackage.json': 'export_package',
} as const;

/**
 * Writes the export files of a publication into a new folder, without folders in it, for an archive such as Zenodo:
 * with what describes them, and with the metadata of the deposit as Zenodo's API takes it. The same publication makes
 * the same bytes. Every file is compared with its hash as it is copied. The folder appears whole or not at all.
 * `revision`: null for the current publication. Throws a Failure when there is no site or no such publication in it,
 * when a file is damaged, or when the folder exists.
 */
export function depositPublication(directory: string, out: string, revision: string | null) {
  const storage = new Storage(directory);
  const site = explainFile(`${directory}/${pointerFile}`, 'the pointer of a site', () => readPreviousSite(storage));
  if (site === null)
    throw new Failure('site_missing', `${directory}: expected a built site or a mirror, got no ${pointerFile}`);
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
    const document = <Value>(path: string): Value => {
      const value = documentIn<Value>(storage, site.routes, path);
      if (value === null) throw new Failure('site_damaged', `${path}: expected a document, got none or a damaged one`);
      return value;
    };
    const metadata = depositMetadata(
      document<DataPackage>(formatPath('export_package', { revision: wanted })),
      document<Croissant>(formatPath('croissant')),
      document<{ data: Metadata }>(formatPath('metadata')).data,
    );
    const text = `${JSON.stringify({ metadata }, null, 2)}\n`;
    createFile(join(temporary, zenodoFile), (append) => append(Buffer.from(text)));
    commit();
    return { ...publication, files: paths.size + 1, bytes };
  } catch (error) {
    discard();
    throw error;
  }
}

/** Copies an object, and returns its size. Throws a Failure when it is missing or damaged. */
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

/** What Zenodo's API takes as the metadata of a deposit (https://developers.zenodo.org/#representation). */
function depositMetadata(described: DataPackage, dataset: Croissant, { about }: Metadata) {
  const [license] = described.licenses ?? [];
  const related = [
    ...(/^https?:/.test(dataset.url)
      ? [{ identifier: dataset.url, relation: 'isVersionOf', resource_type: 'dataset' }]
      : []),
    ...(about?.source_url ? [{ identifier: about.source_url, relation: 'isDerivedFrom' }] : []),
  ];
  return {
    upload_type: 'dataset',
    title: `${described.title}, ${described.created.slice(0, 10)}`,
    description: described.description,
    creators: [{ name: dataset.creator.name }],
    publication_date: described.created.slice(0, 10),
    version: described.version,
    access_right: 'open',
    ...(license ? { license: license.name.toLowerCase() } : {}),
    keywords: dataset.keywords,
    ...(related.length > 0 ? { related_identifiers: related } : {}),
  };
}
