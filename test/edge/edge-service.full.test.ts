import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSettings } from '../../shim/worker/service.ts';
import { FixtureSite } from '../http/fixture-site.ts';
import { eventually } from '../serve/running-server.ts';
import { HttpClient } from '../support/http-client.ts';
import { LocalEdge } from '../support/local-edge.ts';

const variables = { CURSOR_SECRET: 'a secret that only tests know' };
const comparison = '/v1/availability/comparison?skus=001204&lat=43&lng=-118';

let site: FixtureSite;
let earlier: FixtureSite;
let edge: LocalEdge;
const clients: HttpClient[] = [];

beforeAll(async () => {
  [site, earlier] = [await FixtureSite.build(), await FixtureSite.build(10)];
  edge = await LocalEdge.start([
    { name: 'first', bucket: 'whole', variables, ratePerMinute: null },
    { name: 'limited', bucket: 'whole', variables, ratePerMinute: 1, banner: 'Date.now = () => 0;' },
    { name: 'secretless', bucket: 'whole', variables: {}, ratePerMinute: null },
    { name: 'misled', bucket: 'whole', variables: { CURSOR_SECRET: 'short' }, ratePerMinute: null },
    { name: 'following', bucket: 'moving', variables, ratePerMinute: null },
  ]);
  await edge.upload(site.dist, 'first');
  await edge.upload(earlier.dist, 'following', earlier.objectsFor('/v1'));
});

afterAll(async () => {
  for (const client of clients) client[Symbol.dispose]();
  await edge?.[Symbol.asyncDispose]();
  for (const built of [site, earlier]) built?.[Symbol.dispose]();
});

async function clientOf(name: string): Promise<HttpClient> {
  const client = new HttpClient(await edge.urlOf(name));
  clients.push(client);
  return client;
}

test('the coding is the one that the client asked for, not what the edge asks for in its place', async () => {
  const client = new HttpClient(await edge.edgeUrl);
  clients.push(client);
  for (const coding of ['gzip', 'br']) {
    const { headers, body } = await client.get('/v1/categories', { 'Accept-Encoding': coding });
    expect([headers['content-encoding'], headers.etag]).toEqual([coding, site.object(`/v1/categories ${coding}`).etag]);
    expect(body.equals(site.bytes(`/v1/categories ${coding}`))).toBe(true);
  }
});

test('clients are counted by their address, all of an IPv6 /64 together', async () => {
  const client = await clientOf('limited');
  const statusFor = async (address: string) => (await client.get(comparison, { 'CF-Connecting-IP': address })).status;
  expect([await statusFor('192.0.2.1'), await statusFor('192.0.2.1')]).toEqual([200, 429]);
  expect([await statusFor('2001:db8::1'), await statusFor('2001:db8::ffff:1')]).toEqual([200, 429]);
  expect(await statusFor('2001:db8:0:1::1')).toBe(200);
});

test('a new pointer is noticed within seconds', async () => {
  const client = await clientOf('following');
  const revision = async () => (await client.get('/v1')).headers['x-publication-revision'];
  expect(await revision()).toBe(earlier.pointer.revision);
  await edge.upload(site.dist, 'following', site.objectsFor('/v1'));
  expect(await eventually(async () => (await revision()) === site.pointer.revision)).toBe(true);
});

test('without a secret cursors work, and a warning says how little', async () => {
  const client = await clientOf('secretless');
  const { body } = await client.get('/v1/changes');
  const { links } = JSON.parse(body.toString()) as { links: { next: string } };
  expect((await client.get(links.next)).status).toBe(200);
  expect(await edge.logged({ level: 'warn' })).toMatchObject({ msg: expect.stringContaining('CURSOR_SECRET') });
});

test('a worker with a wrong setting answers nothing', async () => {
  expect((await (await clientOf('misled')).get('/v1')).status).toBe(500);
});

describe('settings', () => {
  const environment = { SITE: { get: async () => null, head: async () => null } };

  test.each([
    [{ CURSOR_SECRET: 'short' }, 'CURSOR_SECRET expects at least 16 characters, got 5'],
    [{ CURSOR_SECRET_PREVIOUS: 'a secret of before' }, 'CURSOR_SECRET_PREVIOUS is set, and CURSOR_SECRET is not'],
    [{ BASE_URL: 'example.org' }, "BASE_URL starts with http:// or https://, got 'example.org'"],
    [{ LOG_REQUESTS: 'yes' }, "LOG_REQUESTS is true or false, got 'yes'"],
  ])('%j: %s', (set, message) => {
    expect(() => readSettings({ ...environment, ...set })).toThrow(message);
  });

  test('empty ones are not set, and secrets stand in their order', () => {
    const { cursorSecrets, isSecretRandom, address } = readSettings({
      ...environment,
      BASE_URL: 'https://example.org/v1/',
      CURSOR_SECRET: 'a secret of today',
      CURSOR_SECRET_PREVIOUS: 'a secret of before',
    });
    expect(cursorSecrets).toEqual(['a secret of today', 'a secret of before']);
    expect([isSecretRandom, address('/v1/problems')]).toEqual([false, 'https://example.org/v1/problems']);
    const empty = readSettings({ ...environment, BASE_URL: '', CURSOR_SECRET: '' });
    expect([empty.isSecretRandom, empty.address('/v1')]).toEqual([true, '/v1']);
  });
});
