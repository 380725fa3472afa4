import type { SearchResult } from '../../contract/schemas/search.ts';
import { splitTarget } from '../../shim/problems.ts';
import { readQuery } from '../../shim/query.ts';
import { defaultSearchLimit, search as searchIn } from '../../shim/search.ts';
import type { AskOptions } from '../runtime.ts';
import type { SiteReader } from '../site-reader.ts';
import { inOnePublication } from './one-publication.ts';

/** Computes `/search` from the published index of words. */
export function search(reader: SiteReader, target: string, options: AskOptions): Promise<SearchResult> {
  return inOnePublication(reader, target, options, async (files) => {
    const { q = '', kinds = null, limit = defaultSearchLimit } = readQuery('search', splitTarget(target)[1]);
    return searchIn(files, { q, kinds, limit });
  });
}
