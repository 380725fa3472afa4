import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HttpClient } from '../../generator/http/http-client.ts';
import { SmallSites } from '../support/small-sites.ts';
import { faultsIn, hasty, mirror } from './published-sites.ts';
import { StaticHost } from './static-host.ts';

const sites = SmallSites.use(1);
const host = StaticHost.use(sites.at('dist-1'));

/** Has `answer` handle the first `times` requests for each object, and the folder the later ones. */
function misbehave(times: number, answer: (response: ServerResponse, bytes: Buffer) => void): void {
  const seen = new Map<string, number>();
  host.intercept = ({ url = '' }, response) => {
    const before = seen.get(url) ?? 0;
    seen.set(url, before + 1);
    if (!url.startsWith('/objects/') || before >= times) return false;
    answer(response, readFileSync(join(host.folder, url)));
    return true;
  };
}

type Manner = readonly [name: string, answer: (response: ServerResponse, bytes: Buffer) => void, message: RegExp];
const manners: readonly Manner[] = [
  ['503', (response) => response.writeHead(503).end(), /expected an answer, got status 503, 3 times/],
  ['429', (response) => response.writeHead(429, { 'Retry-After': '0' }).end(), /got status 429, 3 times/],
  ['a reset connection', (response) => response.destroy(), /expected an answer, got \S+/],
  [
    'half a body',
    (response, bytes) => {
      response.writeHead(200, { 'Content-Length': bytes.length });
      response.write(bytes.subarray(0, 10), () => response.destroy());
    },
    /expected an answer, got \S+/,
  ],
  ['less than there should be', (response, bytes) => response.end(bytes.subarray(1)), /expected \d+ bytes, got \d+/],
  [
    'other bytes of that size',
    (response, bytes) => response.end(Buffer.alloc(bytes.length)),
    /expected bytes with that SHA-256, got [0-9a-f]{64}/,
  ],
];

test('a host that misbehaves twice for each object, in one way or another, is tolerated', async () => {
  let asked = 0;
  misbehave(2, (response, bytes) => {
    const [, answer] = manners[asked % manners.length] as Manner;
    asked += 1;
    answer(response, bytes);
  });
  const folder = sites.fresh();
  await mirror(host.url, folder);
  expect(await faultsIn(folder)).toEqual([]);
});

test.each(manners)('%s every time is named', async (_, answer, message) => {
  misbehave(Number.POSITIVE_INFINITY, answer);
  await expect(mirror(host.url, sites.fresh())).rejects.toThrow(message);
});

test('Retry-After is honoured, and ends a run that would have to wait long', async () => {
  const client = new HttpClient({ patience: hasty });
  const happened: string[] = [];
  host.intercept = (_request, response) => {
    happened.push('asked');
    if (happened.length > 1) return false;
    setTimeout(() => happened.push('most of a second'), 900);
    return Boolean(response.writeHead(429, { 'Retry-After': '1' }).end());
  };
  await client.get(`${host.url}/nothing`, { maxBytes: 10 });
  expect(happened).toEqual(['asked', 'most of a second', 'asked']);
  host.intercept = (_request, response) => Boolean(response.writeHead(503, { 'Retry-After': '3600' }).end());
  await expect(client.get(host.url, { maxBytes: 10 })).rejects.toThrow('with Retry-After 3600 s');
});

test('a host that falls silent is given up', async () => {
  host.intercept = () => true;
  await expect(mirror(host.url, sites.fresh(), { patience: { ...hasty, idleMs: 500 } })).rejects.toThrow(
    'current.json: expected an answer, got nothing for 500 ms',
  );
});
