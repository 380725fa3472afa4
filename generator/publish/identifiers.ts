import { v5 } from 'uuid';
import type { ChangeType } from '../contract/change.ts';

/** Names of a project of our own making, RFC 9562 5.5: the namespace of every database's id. */
const shelfpressNamespace = 'b0f5d2a1-6c1e-5d57-9a43-4b1f7c9e2d10';

/** A database is named after its first snapshot, so that the same snapshots give the same ids anywhere. */
export function databaseId(firstContentHash: string): string {
  return v5(`database:${firstContentHash}`, shelfpressNamespace);
}

export function revisionId(database: string, sequence: number, contentHash: string): string {
  return v5(`publication:${sequence}:${contentHash}`, database);
}

export function entityId(database: string, kind: 'product' | 'store' | 'brand' | 'family', key: string): string {
  return v5(`${kind}:${key}`, database);
}

/** Of its publication, type, product and store, contract.md 7. */
export function eventId(revision: string, type: ChangeType, productId: string, storeId: string | null): string {
  return v5(`${type}:${productId}:${storeId ?? ''}`, revision);
}
