import type { Connection } from '../database/connection.ts';
import { listedSkus, type OpenStore, openStores } from '../database/entity-writers.ts';
import { categoriesInForce } from './curation.ts';

/** What a snapshot may refer to without having it itself. */
export type StateInForce = {
  readonly categories: () => ReadonlySet<string>;
  /** SKUs of the listed products. */
  readonly listed: () => Iterable<string>;
  readonly stores: () => readonly OpenStore[];
};

export function stateInForce(connection: Connection): StateInForce {
  return {
    categories: () => categoriesInForce(connection),
    listed: () => listedSkus(connection),
    stores: () => openStores(connection),
  };
}
