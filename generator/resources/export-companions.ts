import { dataPackageOf, type ExportObjects } from '../contract/data-package.ts';
import { pathOf } from '../contract/paths.ts';
import type { Publication } from '../database/publications.ts';
import type { Document } from './document.ts';

/** The export files of a publication as a Data Package, which never changes, as they never do. */
export function dataPackageDocument(publication: Publication, files: ExportObjects): Document {
  const { revision, published_at } = publication;
  return {
    path: pathOf('export_package', { revision }),
    cache: 'immutable',
    since: published_at,
    value: dataPackageOf(publication, files),
  };
}
