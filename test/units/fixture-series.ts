import { copyFileSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { buildSite } from '../../generator/assembly/build-site.ts';
import { fixtureFolders } from '../../generator/cli/preview.ts';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { guardNames } from '../../generator/publish/guards/guards.ts';
import { type PublishOptions, publishSnapshot } from '../../generator/publish/publish.ts';
import type { SigningKey } from '../../generator/trust/keys.ts';
import type { BuildOptions } from '../../generator/units/build.ts';
import { publishedFixtures } from '../support/published-fixtures.ts';
import { type SnapshotParts, writeSnapshot } from '../support/snapshot-writer.ts';
import { temporaryFolder as newFolder, removeFolder } from '../support/temporary-folder.ts';
import { readSite, routeIdentities } from './site-tree.ts';

/** A folder for one test. `remove` deletes it. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const path = newFolder();
  return { path, remove: () => removeFolder(path) };
}

/** Publishes the bundled snapshots `from` to `to` (0-based, without `to`). */
export async function publishFixtures(database: string, from = 0, to = Number.POSITIVE_INFINITY): Promise<void> {
  const isAsPublished = existsSync(database)
    ? from > 0 && readFileSync(database).equals(readFileSync(await publishedFixtures(from)))
    : from === 0;
  if (isAsPublished) copyFileSync(await publishedFixtures(Math.min(to, fixtureFolders().length)), database);
  else await publishAfresh(database, from, to);
}

/** Like {@link publishFixtures}, but publishes the snapshots instead of copying a database. */
export async function publishAfresh(database: string, from = 0, to = Number.POSITIVE_INFINITY): Promise<void> {
  const connection = openForPublishing(database);
  try {
    for (const folder of fixtureFolders().slice(from, to)) {
      await publishSnapshot(connection, folder, { quarantine: false });
    }
  } finally {
    connection.close();
  }
}

/** Writes a snapshot with these parts beside the database, and publishes it. No guard stops it. */
export async function publishParts(database: string, parts: SnapshotParts, options: Partial<PublishOptions> = {}) {
  const source = writeSnapshot(mkdtempSync(`${database}.`), parts);
  const connection = openForPublishing(database);
  try {
    return await publishSnapshot(connection, source, { quarantine: false, accept: guardNames, ...options });
  } finally {
    connection.close();
  }
}

/** Expects a site to have everything that a build from scratch makes. Returns the site of that build. */
export async function expectAsFromNothing(database: string, site: string): Promise<string> {
  const fresh = join(mkdtempSync(`${site}-fresh-`), 'site');
  await build(database, fresh);
  const found = new Set(routeIdentities(readSite(site).routes));
  expect(routeIdentities(readSite(fresh).routes).filter((route) => !found.has(route))).toEqual([]);
  return fresh;
}

/** Builds with the defaults of the command, but without the explorer, which few tests need. */
export function build(
  database: string,
  out: string,
  options: Partial<BuildOptions> = {},
  key: SigningKey | null = null,
  onStage: (stage: string) => void = () => undefined,
) {
  const defaults = { baseUrl: null, explorer: null, exports: 'retained', keepAll: false, full: false } as const;
  return buildSite({ database, out, ...defaults, ...options }, onStage, key && { key, expires: null });
}
