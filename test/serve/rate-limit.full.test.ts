import { describe, expect, test } from 'vitest';
import { problem } from '../../contract/schemas/problem.ts';
import { MemoryRateLimiter } from '../../shim/node/memory-rate-limiter.ts';
import { exampleSite, revisions } from './example-site.ts';
import { RunningServer } from './running-server.ts';
import { sharedDisk } from './served-example.ts';

const plain = sharedDisk(exampleSite(revisions.first));

/** Any question that is counted. This small site has no index to answer it, but that comes out only after the count. */
const selection = '/v1/search?q=rye';

async function isLimited(server: RunningServer, forwarded?: string): Promise<boolean> {
  const reply = await server.get(selection, forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded });
  return reply.status === 429;
}

describe('contract 6: over the limit', () => {
  test('an answer says when to ask again; files are never refused', async () => {
    await using server = await RunningServer.start([plain.folder, '--rate-limit', '2']);
    expect([await isLimited(server), await isLimited(server)]).toEqual([false, false]);
    const reply = await server.get(selection);
    expect(reply.status).toBe(429);
    expect(reply.headers['ratelimit-policy']).toBe('"selections";q=2;w=60');
    expect(reply.headers.ratelimit).toMatch(/^"selections";r=0;t=([1-9]|[1-5]\d|60)$/);
    expect((await server.get('/v1/metadata')).headers).not.toHaveProperty('ratelimit');
    expect(problem.parse(JSON.parse(reply.body.toString())).code).toBe('RATE_LIMITED');
    expect(reply.headers['cache-control']).toBe('no-store');
    const seconds = Number(reply.headers['retry-after']);
    expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60).toBe(true);
    expect(await server.logged({ status: 429 })).toMatchObject({ resource: 'search', client: '127.0.0.1' });
    for (let i = 0; i < 5; i++) expect((await server.get('/v1/metadata')).status).toBe(200);
  });

  test('a problem that counts says what is left, like every answer', async () => {
    await using server = await RunningServer.start([plain.folder, '--rate-limit', '9']);
    const reply = await server.get('/v1/changes?cursor=damaged&limit=2');
    expect(problem.parse(JSON.parse(reply.body.toString())).code).toBe('CURSOR_INVALID');
    expect(reply.headers['ratelimit-policy']).toBe('"selections";q=9;w=60');
    expect(reply.headers.ratelimit).toMatch(/^"selections";r=8;t=/);
    expect((await server.get('/v1/changes?limit=0')).headers).not.toHaveProperty('ratelimit');
  });

  test('RATE_LIMIT_PER_MINUTE does the same; 0 is no limit, and the default is 120', async () => {
    const limitedAfter = async (environment: Record<string, string>, most: number) => {
      await using server = await RunningServer.start([plain.folder], environment);
      for (let i = 0; i < most; i++) if (await isLimited(server)) return i;
      return most;
    };
    expect(await limitedAfter({ RATE_LIMIT_PER_MINUTE: '1' }, 9)).toBe(1);
    expect(await limitedAfter({ RATE_LIMIT_PER_MINUTE: '0' }, 200)).toBe(200);
    expect(await limitedAfter({}, 200)).toBe(120);
  });
});

test('if the clock is set back, nobody waits for more than a minute', async () => {
  const setBack = `
    const { now } = Date;
    process.on('SIGUSR2', () => {
      Date.now = () => now() - 3_600_000;
      console.error('{"level":"info","msg":"the clock is set back"}');
    });`;
  const environment = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(setBack)}` };
  await using server = await RunningServer.start([plain.folder, '--rate-limit', '1'], environment);
  expect(await isLimited(server)).toBe(false);
  server.signal('SIGUSR2');
  await server.logged({ msg: 'the clock is set back' });
  const reply = await server.get(selection);
  expect(reply.status).toBe(429);
  expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(60);
});

describe('X-Forwarded-For', () => {
  test('means nothing unless a proxy is trusted', async () => {
    await using server = await RunningServer.start([plain.folder, '--rate-limit', '1']);
    expect(await isLimited(server, '192.0.2.1')).toBe(false);
    expect(await isLimited(server, '192.0.2.2')).toBe(true);
    expect((await server.logged({ status: 429 })).client).toBe('127.0.0.1');
    // Said once, however many requests there are.
    const said = server.log.filter(({ msg }) => String(msg).includes('shares one rate limit'));
    expect(said.map(({ level, msg }) => [level, msg])).toEqual([
      ['warn', expect.stringMatching(/^X-Forwarded-For of 127\.0\.0\.1 is ignored.*--trust-proxy$/)],
    ]);
  });

  test('from a trusted proxy tells clients apart, by the rightmost address that is not a trusted proxy', async () => {
    const args = [plain.folder, '--rate-limit', '1', '--trust-proxy', 'loopback, 203.0.113.0/24'];
    await using server = await RunningServer.start(args);
    expect(await isLimited(server, '192.0.2.1')).toBe(false);
    expect(await isLimited(server, '192.0.2.2')).toBe(false);
    expect(await isLimited(server, '192.0.2.1')).toBe(true);
    // Addresses that a client makes up are to the left of those that the proxies add.
    expect(await isLimited(server, '198.51.100.9, 192.0.2.2')).toBe(true);
    expect(await isLimited(server, '198.51.100.9, 192.0.2.2, 203.0.113.7')).toBe(true);
    expect(await isLimited(server, '192.0.2.2, 198.51.100.9')).toBe(false);
    // The same client over IPv6.
    expect(await isLimited(server, '::ffff:192.0.2.1')).toBe(true);
    expect((await server.logged({ status: 429 })).client).toBe('192.0.2.1');
  });

  test('without an address makes the proxy the client', async () => {
    await using server = await RunningServer.start([plain.folder, '--rate-limit', '1'], {
      TRUST_PROXY: '127.0.0.1',
    });
    expect(await isLimited(server, 'unknown')).toBe(false);
    expect(await isLimited(server, '_hidden')).toBe(true);
    expect((await server.logged({ status: 429 })).client).toBe('127.0.0.1');
    const said = server.log.filter(({ msg }) => String(msg).includes('shares one rate limit'));
    expect(said.map(({ level, msg }) => [level, msg])).toEqual([
      ['warn', expect.stringMatching(/^the proxy at 127\.0\.0\.1 names no client in X-Forwarded-For/)],
    ]);
  });

  test('IPv6 clients are counted by their /64', async () => {
    const args = [plain.folder, '--rate-limit', '1', '--trust-proxy', 'loopback'];
    await using server = await RunningServer.start(args);
    expect(await isLimited(server, '2001:db8:0:1::1')).toBe(false);
    expect(await isLimited(server, '2001:db8:0:1:ffff::2')).toBe(true);
    expect(await isLimited(server, '2001:db8:0:2::1')).toBe(false);
    expect((await server.logged({ status: 429 })).client).toBe('2001:db8:0:1:ffff::2');
  });
});

async function secondsToWait(limiter: MemoryRateLimiter, client: string): Promise<number | null> {
  return (await limiter.count(client, 1)).retryAfter;
}

describe('MemoryRateLimiter', () => {
  test('says what is left', async () => {
    const limiter = new MemoryRateLimiter(5);
    const quota = { points: 5, window: 60, reset: 60 };
    expect(await limiter.count('192.0.2.1', 1)).toEqual({ retryAfter: null, quota: { ...quota, remaining: 4 } });
    expect(await limiter.count('192.0.2.1', 2)).toEqual({ retryAfter: null, quota: { ...quota, remaining: 2 } });
    expect(await limiter.count('192.0.2.1', 9)).toEqual({ retryAfter: 60, quota: { ...quota, remaining: 0 } });
    expect(await limiter.count('192.0.2.2', 1)).toEqual({ retryAfter: null, quota: { ...quota, remaining: 4 } });
  });

  test('when its memory is full, forgets the client that has not asked for longest, and no other', async () => {
    const limiter = new MemoryRateLimiter(1, 3);
    for (const client of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
      expect(await secondsToWait(limiter, client)).toBeNull();
    expect(await secondsToWait(limiter, '192.0.2.1')).not.toBeNull();
    expect(await secondsToWait(limiter, '192.0.2.4')).toBeNull();
    expect(await secondsToWait(limiter, '192.0.2.1')).not.toBeNull();
    expect(await secondsToWait(limiter, '192.0.2.3')).not.toBeNull();
    expect(await secondsToWait(limiter, '192.0.2.2')).toBeNull();
  });

  test('counts requests that come at the same time one by one', async () => {
    const limiter = new MemoryRateLimiter(10);
    const waits = await Promise.all(Array.from({ length: 25 }, () => secondsToWait(limiter, '192.0.2.1')));
    expect(waits.filter((seconds) => seconds === null)).toHaveLength(10);
  });
});
