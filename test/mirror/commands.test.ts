import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RunningServer } from '../serve/running-server.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { SmallSites } from '../support/small-sites.ts';

const sites = SmallSites.use(1);
let server: RunningServer;
let url: string;
beforeAll(async () => {
  server = await RunningServer.start([sites.at('dist-1')]);
  url = `http://${server.host}:${server.port}/v1`;
});
afterAll(() => server[Symbol.asyncDispose]());

test('mirror, verify and bundle report what they did, one line each', async () => {
  const mirror = sites.at('mirror');
  const first = await runInProcess('mirror', url, mirror);
  expect([first.code, first.stderr]).toEqual([0, '']);
  expect(first.stdout).toMatch(
    /^mirrored publication 1, revision \S+, published \S+, to .+\n\d+ resources: \d+ objects downloaded \([\d.]+ [kM]B\), 0 kept, 0 deleted; \d+ requests; [\d.]+ s\n$/,
  );
  expect((await runInProcess('mirror', url, mirror)).stdout).toMatch(
    /^nothing new: .+ holds publication 1, .+\n1 request; [\d.]+ s\n$/,
  );
  expect((await runInProcess('verify', mirror)).stdout).toMatch(
    /^verified .+: \d+ routes, .+; 0 unnamed objects, 0 unnamed checkouts; [\d.]+ s\n$/,
  );
  expect((await runInProcess('verify', url, '--sample', '5')).stdout).toMatch(
    /^verified .+: publication 1, revision \S+; 5 of \d+ addresses, \d+ requests, [\d.]+ [kM]B; [\d.]+ s\n$/,
  );
  expect((await runInProcess('bundle', mirror, sites.at('bundle.zip'))).stdout).toMatch(
    /^bundled publication 1, revision \S+, published \S+, as .+\n\d+ files, [\d.]+ [kM]B; [\d.]+ s\n$/,
  );
});

test('a partial mirror is reported, also by verify', async () => {
  const folder = sites.at('partial');
  const made = JSON.parse(
    (await runInProcess('mirror', url, folder, '--only', '/v1/brands', '--only', 'exports', '--json')).stdout,
  );
  expect(made).toMatchObject({ changed: true, only: ['v1/brands', 'v1/exports.json', 'v1/exports/**'], routes: 38 });
  expect((await runInProcess('verify', folder)).stdout).toContain(', a partial mirror: 38 of ');
  const refused = await runInProcess('bundle', folder, sites.at('partial.zip'));
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(
    /^shelfpress: \S+: expected its bytes at objects\/\S+, got no file \[site_damaged\]\n$/,
  );
  expect(existsSync(sites.at('partial.zip'))).toBe(false);
});

test('keys are made, and required', async () => {
  const key = sites.at('site.key');
  expect((await runInProcess('keygen', key)).stdout).toMatch(/^made key [0-9a-f]{64}\n/);
  expect(await runInProcess('keygen', key)).toMatchObject({ code: 1, stdout: '' });
  for (const command of [
    ['verify', url],
    ['verify', sites.at('dist-1')],
    ['mirror', url, sites.at('keyed')],
  ]) {
    const { code, stdout, stderr } = await runInProcess(...command, '--key', `${key}.pub`);
    expect([code, stdout + stderr]).toEqual([1, expect.stringContaining('expected a signature of key')]);
  }
});
