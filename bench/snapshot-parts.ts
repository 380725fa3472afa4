import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Curation, InventoryLine, ProductLine, StoreLine } from '../generator/snapshot/format.ts';

/** The parsed, unchecked parts of a snapshot folder; a missing part is empty. */
export type SnapshotParts = {
  readonly products: readonly ProductLine[];
  readonly stores: readonly StoreLine[];
  readonly inventory: readonly InventoryLine[];
  readonly curation: Curation;
};

const nothing: Curation = { about: null, categories: [], brands: [], families: [], products: [], sku_history: [] };

/** The snapshot folders in a folder, by name. */
export function snapshotFolders(folder: string): string[] {
  const paths = readdirSync(folder)
    .sort()
    .map((name) => join(folder, name));
  return paths.filter((path) => existsSync(join(path, 'snapshot.json')));
}

export function readParts(folder: string): SnapshotParts {
  const curation = textOf(folder, 'curation.json');
  return {
    products: linesOf(folder, 'products.ndjson'),
    stores: linesOf(folder, 'stores.ndjson'),
    inventory: linesOf(folder, 'inventory.ndjson'),
    curation: curation === null ? nothing : JSON.parse(curation),
  };
}

/** The number of rows for the figures: catalog, directory, inventory and curation together. */
export function rowCount({ products, stores, inventory, curation }: SnapshotParts): number {
  const quantities = inventory.reduce((sum, { rows }) => sum + rows.length, 0);
  const { about: _, ...lists } = curation;
  const entries = Object.values(lists).reduce((sum, list) => sum + list.length, 0);
  return products.length + stores.length + quantities + entries;
}

function linesOf<Row>(folder: string, file: string): Row[] {
  const lines = textOf(folder, file)?.split('\n') ?? [];
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

function textOf(folder: string, file: string): string | null {
  const path = join(folder, file);
  if (existsSync(path)) return readFileSync(path, 'utf8');
  return existsSync(`${path}.gz`) ? gunzipSync(readFileSync(`${path}.gz`)).toString() : null;
}
