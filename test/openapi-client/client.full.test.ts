import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FixtureSite } from '../http/fixture-site.ts';
import { RunningServer } from '../serve/running-server.ts';
import { needing, program } from '../support/installed-programs.ts';
import { temporaryFolder } from '../units/fixture-series.ts';

/** Packages of their own: `npm ci --prefix test/openapi-client`. */
const needed = 'openapi-typescript';

/** A program of somebody who has the description alone. */
const use = `
import createClient from 'openapi-fetch';
import type { paths } from './api.js';

declare const process: { readonly argv: string[] };

const client = createClient<paths>({
  baseUrl: process.argv[2] ?? '',
  querySerializer: { array: { style: 'form', explode: false } },
});
const query = { types: ['price_changed' as const, 'status_changed' as const], limit: 5 };
const changes = await client.GET('/changes', { params: { query } });
const product = await client.GET('/products/by-sku/{sku}', { params: { path: { sku: '014100' } } });
const missing = await client.GET('/products/by-sku/{sku}', { params: { path: { sku: '999999' } } });
console.log(JSON.stringify([
  changes.data?.data.map(({ type }) => type),
  product.data?.data.source_ids.agency_sku,
  missing.error?.code,
]));
`;

test('a client that openapi-typescript makes compiles and works', needing(needed), async () => {
  const packages = program(needed);
  const { path: folder, remove } = temporaryFolder();
  using site = await FixtureSite.build();
  await using server = await RunningServer.start([site.dist]);
  try {
    const run = (name: string, ...args: string[]) =>
      execFileSync(join(packages, '.bin', name), args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
    symlinkSync(packages, join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'openapi.json'), site.bytes('/v1/openapi.json'));
    writeFileSync(join(folder, 'use.ts'), use);
    run('openapi-typescript', 'openapi.json', '-o', 'api.d.ts');
    run('tsc', '--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,dom,dom.iterable', 'use.ts');
    const printed = execFileSync(process.execPath, ['use.js', `${server.origin}/v1`], {
      cwd: folder,
      encoding: 'utf8',
    });
    const [types, sku, code] = JSON.parse(printed) as [string[], string, string];
    expect([new Set(types), sku, code]).toEqual([
      new Set(['price_changed', 'status_changed']),
      '014100',
      'SKU_NOT_FOUND',
    ]);
  } finally {
    remove();
  }
});
