import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RunningServer } from '../serve/running-server.ts';
import { programFile } from '../support/programs.ts';
import { PublishedSites } from './published-sites.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

let sites: PublishedSites;
let server: RunningServer;
let url: string;
beforeAll(async () => {
  sites = await PublishedSites.build(1);
  server = await RunningServer.start(['--dist', sites.at('dist-1')]);
  url = `http://${server.host}:${server.port}/v1`;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  sites.remove();
});

function run(...args: string[]): { status: number | null; out: string; err: string } {
  const command = [programFile('generator/cli.ts'), ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' });
  return { status, out: stdout, err: stderr };
}

test('mirror, verify and bundle say in lines what they did', () => {
  const mirror = sites.at('mirror');
  const first = run('mirror', url, mirror);
  expect([first.status, first.err]).toEqual([0, '']);
  expect(first.out).toMatch(
    /^mirrored publication 1, revision \S+, published \S+, to .+\n\d+ resources: \d+ objects downloaded \([\d.]+ [kM]B\), 0 kept, 0 deleted; \d+ requests; [\d.]+ s\n$/,
  );
  expect(run('mirror', url, mirror).out).toMatch(/^nothing new: .+ holds publication 1, .+\n1 request; [\d.]+ s\n$/);
  expect(run('verify', mirror).out).toMatch(
    /^verified .+: \d+ routes, .+; 0 unnamed objects, 0 unnamed checkouts; [\d.]+ s\n$/,
  );
  expect(run('verify', url, '--sample', '5').out).toMatch(
    /^verified .+: publication 1, revision \S+; 5 of \d+ addresses, \d+ requests, [\d.]+ [kM]B; [\d.]+ s\n$/,
  );
  expect(run('bundle', mirror, sites.at('bundle.zip')).out).toMatch(
    /^bundled publication 1, revision \S+, published \S+, as .+\n\d+ files, [\d.]+ [kM]B; [\d.]+ s\n$/,
  );
});

test('a partial mirror is told, also by verify', () => {
  const folder = sites.at('partial');
  const made = JSON.parse(run('mirror', url, folder, '--only', '/v1/brands', '--only', 'exports', '--json').out);
  expect(made).toMatchObject({ changed: true, only: ['v1/brands', 'v1/exports.json', 'v1/exports/**'], routes: 8 });
  expect(run('verify', folder).out).toContain(', a partial mirror: 8 of ');
  expect(JSON.parse(run('verify', folder, '--json').out)).toMatchObject({ ok: true, partial: { routes: 8 } });
  const refused = run('bundle', folder, sites.at('partial.zip'));
  expect(refused.status).toBe(1);
  expect(refused.err).toMatch(/^shelfpress: \S+: expected its bytes at objects\/\S+, got no file\n$/);
  expect(existsSync(sites.at('partial.zip'))).toBe(false);
});

test('keys are made, and asked for', () => {
  const key = sites.at('site.key');
  expect(run('keygen', key).out).toMatch(/^made key [0-9a-f]{64}\n/);
  expect(run('keygen', key)).toMatchObject({ status: 1, out: '' });
  for (const command of [
    ['verify', url],
    ['verify', sites.at('dist-1')],
    ['mirror', url, sites.at('keyed')],
  ]) {
    const { status, out, err } = run(...command, '--key', `${key}.pub`);
    expect([status, out + err]).toEqual([1, expect.stringContaining('expected a signature of key')]);
  }
});

describe('wrong usage is exit code 2', () => {
  test.each([
    ['mirror', 'example.org', 'x'],
    ['mirror', 'http://example.org/?q', 'x'],
    ['verify', 'http://example.org/?q'],
    ['verify', 'dist', '--all'],
    ['verify', 'http://example.org', '--all', '--sample', '3'],
    ['verify', 'http://example.org', '--sample', '0'],
    ['bundle', 'dist'],
    ['keygen'],
  ])('%s %s %s %s %s', (...args) => {
    const { status, err } = run(...args.filter((arg) => arg !== undefined));
    expect([status, err]).toEqual([2, expect.stringContaining('error: ')]);
  });
});
