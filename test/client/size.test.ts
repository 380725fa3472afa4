import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { bundleClient, type ClientFile } from '../../bin/package/client-bundle.ts';
import type * as client from '../../client/open-site.ts';
import { FixtureSite } from '../http/fixture-site.ts';
import { readText } from '../project/repository.ts';
import { RunningServer } from '../serve/running-server.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

/*
 * What a page loads, compared with the table in docs/client.md.
 */

const core = 'open-site';
const rows = readText('docs/client.md').matchAll(/^\| `([\w-]+)` \| [^|]+ \| (\d+) \|$/gm);
const budgets = [...rows].map(([, part = '', kilobytes]) => [part, Number(kilobytes)] as const);

let files: readonly ClientFile[];
beforeAll(async () => {
  files = await bundleClient();
});

/** The module of a part, and all modules that it needs to run. */
function neededModules(part: string): Set<ClientFile> {
  const found = new Set(files.filter(({ name }) => name === `${part}.js` || name.startsWith(`${part}-`)));
  for (const { loads } of found) {
    for (const file of files) if (loads.includes(file.name)) found.add(file);
  }
  return found;
}

/** What a part adds to the core. Only a part with schemas needs the module that sets them up. */
function addedBy(part: string): Set<ClientFile> {
  const known = neededModules(core);
  const first = part === 'proven-reader' ? neededModules('without-eval') : [];
  return new Set([...first, ...neededModules(part)].filter((file) => !known.has(file)));
}

test('the table names the core, which has at most 10 KB, and each part that it loads later', () => {
  expect(budgets[0]).toEqual([core, 10]);
  const parts = files.filter(({ name }) => !/^(?:chunk|without-eval)-/.test(name)).map(({ name }) => name);
  expect(budgets.map(([part]) => part).sort()).toEqual(
    parts.map((name) => name.replace(/(?:-\w{8})?\.js$/, '')).sort(),
  );
});

test.each(budgets)('%s has at most %i KB in brotli', (part, kilobytes) => {
  const modules = [...(part === core ? neededModules(core) : addedBy(part))];
  const bytes = modules.reduce((sum, { text }) => sum + brotliCompressSync(text).length, 0);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(kilobytes * 1024);
});

test.each([core, 'search', 'comparison', 'selections'])('%s has no schema in it', (part) => {
  for (const { name, text } of neededModules(part)) expect(text, name).not.toContain('safeParse');
});

test('a program that only compares at a host that computes needs only the core', async () => {
  const folder = temporaryFolder();
  try {
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    for (const { name, text } of neededModules(core)) writeFileSync(join(folder, name), text);
    const { openSite }: typeof client = await import(join(folder, `${core}.js`));
    using site = await FixtureSite.build();
    await using service = await RunningServer.start([site.dist]);
    const asked = (await openSite(service.origin)).compare({ skus: ['014100'], lat: 0, lng: 0 });
    expect((await asked).data.requested_products[0]?.source_ids.agency_sku).toBe('014100');
  } finally {
    removeFolder(folder);
  }
});
