import type { Comparison } from '../../generator/contract/documents/comparison.ts';
import { usualProfile } from '../../generator/contract/profile.ts';
import { compare as compareIn, comparisonDefaults } from '../../shim/comparison/compare.ts';
import { splitTarget } from '../../shim/problems.ts';
import { hasCodes, readQuery } from '../../shim/query.ts';
import type { AskOptions } from '../runtime.ts';
import type { SiteReader } from '../site-reader.ts';
import { inOnePublication } from './one-publication.ts';

/** The answer of `/availability/comparison`, computed from what the site publishes for it. */
export function compare(reader: SiteReader, target: string, options: AskOptions): Promise<Comparison> {
  return inOnePublication(reader, target, options, async (files) => {
    const [, text] = splitTarget(target);
    const query = readQuery('comparison', text, hasCodes(text) ? await files.profile() : usualProfile);
    return compareIn(files, { ...comparisonDefaults, ...query });
  });
}
