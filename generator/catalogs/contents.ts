import { onMainThread, type Stages, shared } from '../units/kind.ts';
import { datasetElements, makeDiscovery, makePackageOfTables } from './description-units.ts';
import { icebergUnits, makeIcebergTable } from './iceberg-units.ts';
import { makePublicationChanges, publicationChangesUnits } from './publication-changes.ts';

export const stages = {
  'making documents': { publication_changes: shared(publicationChangesUnits, makePublicationChanges) },
  'joining tables': { iceberg: shared(icebergUnits, makeIcebergTable) },
  'listing files': {
    tables_package: onMainThread('package of the tables', makePackageOfTables),
    discovery: onMainThread('discovery', makeDiscovery),
  },
} satisfies Partial<Stages>;

export const headElements = datasetElements;
