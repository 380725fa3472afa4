import type { Comparison } from '../../contract/schemas/store.ts';
import { compare as compareIn, comparisonDefaults } from '../../shim/comparison/compare.ts';
import { splitTarget } from '../../shim/problems.ts';
import { readQueryIn } from '../../shim/query.ts';
import type { AskOptions } from '../runtime.ts';
import type { SiteReader } from '../site-reader.ts';
import { inOnePublication } from './one-publication.ts';

/** Computes `/availability/comparison` from published files. */
export function compare(reader: SiteReader, target: string, options: AskOptions): Promise<Comparison> {
  return inOnePublication(reader, target, options, async (files) => {
    const query = await readQueryIn(files, 'comparison', splitTarget(target)[1]);
    return compareIn(files, { ...comparisonDefaults, ...query });
  });
}
