import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { StorePair } from '../../contract/schemas/product.ts';
import type { Connection } from '../../generator/database/connection.ts';
import { openForPublishing } from '../../generator/database/database-file.ts';
import type { Publication } from '../../generator/database/publications.ts';
import { pairAt, readAvailability } from '../../generator/documents/availability.ts';
import type { Product } from '../../generator/documents/product.ts';
import { stateAt } from '../../generator/documents/state.ts';
import type { Store } from '../../generator/documents/store.ts';
import { FaultyInput, formatFault } from '../../generator/files/faults.ts';
import { type PublishOptions, publishSnapshot } from '../../generator/publish/publish.ts';
import { headerOf, type SnapshotParts, writeSnapshot } from './snapshot-writer.ts';
import { removeFolder, temporaryFolder } from './temporary-folder.ts';

export type LoggedEvent = {
  readonly type: string;
  readonly sku: string;
  readonly retrieved_at: string;
  readonly change: unknown;
};

/** Parts of a snapshot, with the fields of its header that matter. */
export type Snapshot = Omit<SnapshotParts, 'header'> & { readonly header?: Readonly<Record<string, unknown>> };

/** A real publication database in a temporary folder, removed when the test is over. */
export class TestDatabase {
  readonly connection: Connection;
  readonly #folder = temporaryFolder();
  #snapshots = 0;

  constructor() {
    this.connection = openForPublishing(join(this.#folder, 'publication.sqlite'));
    onTestFinished(() => {
      this.connection.close();
      removeFolder(this.#folder);
    });
  }

  publish(
    published_at: string,
    { header, ...parts }: Snapshot,
    options: Partial<PublishOptions> = {},
  ): Promise<Publication> {
    this.#snapshots += 1;
    const folder = join(this.#folder, String(this.#snapshots).padStart(3, '0'));
    writeSnapshot(folder, { header: headerOf({ published_at, ...header }, parts), ...parts });
    return publishSnapshot(this.connection, folder, { quarantine: false, ...options });
  }

  /** The faults for which a snapshot is refused. Throws if it is published, or fails in another way. */
  async problemsOf(published_at: string, snapshot: Snapshot, options: Partial<PublishOptions> = {}): Promise<string[]> {
    const error = await this.publish(published_at, snapshot, options).catch((thrown: unknown) => thrown);
    if (error instanceof FaultyInput) return error.faults.first().map(formatFault);
    throw error instanceof Error ? error : new Error(`published: ${JSON.stringify(error)}`);
  }

  /** Events of a publication, in the order of the log. */
  events(publication: number): LoggedEvent[] {
    const rows = this.connection.prepare<[number], Omit<LoggedEvent, 'change'> & { change: string }>(`
      SELECT type, sku, retrieved_at, change FROM event JOIN product USING (product) WHERE publication = ? ORDER BY number`);
    return rows.all(publication).map(({ change, ...row }) => ({ ...row, change: JSON.parse(change) }));
  }

  product(sku: string, sequence: number): Product {
    const found = stateAt(this.connection, sequence).products.find((product) => product.sku === sku);
    if (!found) throw new Error(`no product ${sku} at publication ${sequence}`);
    return found;
  }

  /** The only store with this code. */
  store(code: string, sequence: number): Store {
    const found = this.stores(sequence).filter(({ detail }) => detail.source_ids.inventory_store_code === code);
    if (found.length !== 1 || !found[0]) throw new Error(`${found.length} stores ${code} at publication ${sequence}`);
    return found[0];
  }

  stores(sequence: number): readonly Store[] {
    return stateAt(this.connection, sequence).stores;
  }

  pair(sku: string, code: string, sequence: number): StorePair {
    const state = stateAt(this.connection, sequence);
    const found = state.stores.find(({ detail }) => detail.source_ids.inventory_store_code === code);
    if (!found) throw new Error(`no store ${code} at publication ${sequence}`);
    return pairAt(state, readAvailability(state, this.product(sku, sequence)), found);
  }
}
