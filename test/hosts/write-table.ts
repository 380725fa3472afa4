import { writeFileSync } from 'node:fs';
import { buildFixtures } from '../../generator/preview.ts';
import { temporaryFolder } from '../build/fixture-series.ts';
import { FixtureSite } from '../http/fixture-site.ts';
import { page } from './host.ts';
import { hostKinds, measure, withTable } from './promise-table.ts';

/** Asks every host for everything it may promise, prints what is not kept, and makes the table of docs/hosting.md. */
async function main(): Promise<void> {
  const missing = hostKinds.filter(({ isInstalled }) => !isInstalled);
  if (missing.length > 0) {
    throw new Error(`expected all hosts of the table, these are not installed: ${missing.map(({ name }) => name)}`);
  }
  const { path: dist, remove } = temporaryFolder();
  try {
    await buildFixtures(dist);
    writeFileSync(page, withTable(await measureAll(FixtureSite.at(dist))));
  } finally {
    remove();
  }
  console.log(`wrote ${page.pathname}`);
}

async function measureAll(site: FixtureSite): Promise<Map<string, ReadonlyMap<string, readonly string[]>>> {
  const measured = new Map<string, ReadonlyMap<string, readonly string[]>>();
  for (const kind of hostKinds) {
    const found = await measure(kind, site);
    measured.set(kind.name, found);
    for (const [title, differences] of found) {
      if (differences.length > 0) console.log(`${kind.name}: ${title}\n  ${differences.join('\n  ').slice(0, 300)}`);
    }
  }
  return measured;
}

await main();
