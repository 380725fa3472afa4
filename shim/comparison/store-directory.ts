import type { Warning } from '../../generator/contract/documents/envelope.ts';
import type { StoreSummary } from '../../generator/contract/documents/store.ts';
import { comparisonStores } from '../../generator/contract/formats/comparison-input.ts';
import { parseJson, type Reading } from '../site/verified-objects.ts';
import { type SpacePoint, spacePoint } from './distance.ts';

/** The stores a comparison can choose from, by id; a store's number is its position here. */
export type StoreDirectory = {
  readonly warnings: readonly Warning[];
  readonly stores: readonly StoreSummary[];
  /** Where each store is; null where no location is published. */
  readonly points: readonly (SpacePoint | null)[];
};

/** Of the document at `comparison_stores`. Throws when the stores are not in order: their numbers stand for their ids. */
export const storeDirectoryReading: Reading<StoreDirectory> = {
  name: 'comparison stores',
  of(bytes) {
    const { warnings, stores } = parseJson(comparisonStores, bytes);
    const odd = stores.findIndex(({ id }, number) => number > 0 && id <= (stores[number - 1]?.id ?? ''));
    if (odd >= 0) throw new Error(`stores.${odd}.id: expected an id after the one before, got ${stores[odd]?.id}`);
    return { warnings, stores, points: stores.map(({ location }) => location && spacePoint(location)) };
  },
};
