import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { epochSeconds } from '../../contract/instant.ts';
import { statusLine } from '../../generator/cli/status.ts';
import { writeKeyPair } from '../../generator/trust/keys.ts';
import { checkStatus, type StatusOptions } from '../../generator/verify/inspect/site-status.ts';
import { StaticHost } from '../mirror/static-host.ts';
import { RunningServer } from '../serve/running-server.ts';
import { outcomeInProcess } from '../support/command-in-process.ts';
import { EditedSite } from '../verify/edited-site.ts';
import { useExampleSite } from '../verify/example-site.ts';

const example = useExampleSite(2);
let server: RunningServer;
let url: string;
beforeAll(async () => {
  server = await RunningServer.start([example.folder]);
  url = `http://${server.host}:${server.port}`;
});
afterAll(() => server[Symbol.asyncDispose]());

const publishedAt = epochSeconds('2025-03-07T22:00:00Z');
const hour = 3600;

function optionsFor(options: Partial<StatusOptions> = {}): StatusOptions {
  const usual = { key: null, sample: 5, bytesOnly: false, redirectsTo: undefined, maxAgeSeconds: null, seen: null };
  return { url, ...usual, allowedWarnings: ['INVENTORY_COVERAGE_PARTIAL'], ...options };
}

async function checkedLine(options: Partial<StatusOptions>, now: number): Promise<string> {
  return statusLine('SITE', await checkStatus(optionsFor(options), now), 0.5);
}

test('a sound site is ok in one line', async () => {
  expect(await checkedLine({ maxAgeSeconds: 26 * hour }, publishedAt + 3 * hour)).toMatch(
    /^ok: SITE: publication 2 of 2025-03-07T22:00:00Z, 3 h old, 5 of \d+ addresses checked, \d+ requests, [\d.]+ kB; 0\.5 s$/,
  );
});

test('a publication that is too old fails', async () => {
  expect(await checkedLine({ maxAgeSeconds: 26 * hour }, publishedAt + 31 * hour)).toBe(
    'failing: SITE: publication 2: 31 h old, expected at most 26 h',
  );
  expect((await checkStatus(optionsFor({ maxAgeSeconds: 26 * hour }), publishedAt + 26 * hour)).ok).toBe(true);
});

test('without a maximum any age is good, but a day ahead of the clock is not', async () => {
  expect((await checkStatus(optionsFor(), publishedAt + 1000 * 24 * hour)).ok).toBe(true);
  expect((await checkStatus(optionsFor(), publishedAt - hour)).ok).toBe(true);
  expect(await checkedLine({}, publishedAt - 25 * hour)).toBe(
    'failing: SITE: publication 2: 25 h ahead of the clock, expected at most 24 h ahead',
  );
});

test('the sample reads the parts of the route table that it needs, and is the same every time', async () => {
  const first = await checkStatus(optionsFor({ sample: 1 }), publishedAt);
  // Pointer, signature, root, one shard, the metadata and their object.
  expect(first.requests).toBe(6);
  const again = await checkStatus(optionsFor({ sample: 3 }), publishedAt);
  expect(await checkStatus(optionsFor({ sample: 3 }), publishedAt)).toEqual(again);
});

test('wrong answers of a host fail', async () => {
  const site = new EditedSite(example.folder);
  site.remove(site.objectOf('/v1/brands'));
  await using damaged = await RunningServer.start([site.folder]);
  const address = `http://${damaged.host}:${damaged.port}`;
  const status = await checkStatus(optionsFor({ url: address, sample: 9999 }), publishedAt);
  expect(statusLine('SITE', status, 1)).toMatch(
    /^failing: SITE: publication 2: \/v1\/brands: expected status 200, got .* \[live_status\]$/,
  );
});

test('a site without the signature that a key asks for fails', async () => {
  const key = writeKeyPair(join(example.folder, '..', 'status.key'));
  expect(await checkedLine({ key }, publishedAt)).toBe(
    `failing: SITE: /current.json.sig: expected a signature of key ${key.fingerprint}, got none`,
  );
});

test('a host without a part of its route table fails, and the age is still judged', async () => {
  await using host = await StaticHost.start(example.folder);
  host.intercept = ({ url: path = '' }, response) =>
    path.startsWith('/objects/') && Boolean(response.writeHead(404).end());
  expect(await checkedLine({ url: host.url, maxAgeSeconds: hour }, publishedAt + 2 * hour)).toMatch(
    /^failing: SITE: publication 2: 2 h old, expected at most 1 h; \/objects\/..\/\S+: expected \d+ bytes, got none$/,
  );
});

describe('the command', () => {
  const status = (...args: string[]) => outcomeInProcess('status', ...args);

  test('exits with 1, without an explanation', async () => {
    const { text, failure, isNo } = await status(url, '--max-age', '26h');
    expect(text).toMatch(/^failing: http:\S+: publication 2: \d+ days old, expected at most 26 h; warning INV.*\n$/);
    expect([failure, isNo]).toEqual([null, true]);
    expect(await status(url, '--allow-warning', 'INVENTORY_COVERAGE_PARTIAL')).toMatchObject({ isNo: false });
  });

  test('has each check with its verdict in JSON', async () => {
    const { text, isNo } = await status(`${url}/v1`, '--json');
    const { ok, checks, publication } = JSON.parse(text);
    expect([ok, isNo]).toEqual([false, true]);
    expect(publication).toMatchObject({ sequence: 2, published_at: '2025-03-07T22:00:00Z' });
    expect(checks).toMatchObject([
      { check: 'pointer', ok: true },
      { check: 'age', ok: true },
      { check: 'warnings', ok: false, unexpected: ['INVENTORY_COVERAGE_PARTIAL'] },
      { check: 'sample', ok: true },
    ]);
  });
});
