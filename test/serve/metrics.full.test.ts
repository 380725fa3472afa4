import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { exampleSite, hugeExportPath, revisions, siteWithHugeExport } from './example-site.ts';
import { eventually, RunningServer, runServe } from './running-server.ts';
import { sharedDisk } from './served-example.ts';
import { SiteOnDisk } from './site-on-disk.ts';

const plain = sharedDisk(exampleSite(revisions.first));
const huge = sharedDisk(siteWithHugeExport());

async function start(disk: SiteOnDisk, args: readonly string[] = [], environment: Record<string, string> = {}) {
  const server = await RunningServer.start([disk.folder, ...args], { METRICS_PORT: '0', ...environment });
  await eventually(() => server.output.stderr.includes('/metrics'));
  const url = /http:\/\/[^" ]+\/metrics/.exec(server.output.stderr)?.[0] ?? '';
  const scrape = async (method = 'GET') => fetch(url, { method });
  /** The printed value of a series; undefined if there is none. */
  const value = async (series: string) => {
    const lines = (await (await scrape()).text()).split('\n');
    return lines.find((line) => line.startsWith(`${series} `))?.slice(series.length + 1);
  };
  return { server, url, scrape, value, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

test('requests are counted by resource and status, with their bytes and durations', async () => {
  await using running = await start(plain);
  const { server, value } = running;
  const { body, headers } = await server.get('/v1/metadata');
  await server.get('/v1/metadata');
  await server.get('/v1/metadata', { 'If-None-Match': String(headers.etag) });
  await server.get('/v1/nothing');
  await server.get('/healthz');
  const counted = (labels: string) => value(`shelfpress_http_requests_total{${labels}}`);
  expect(await counted('resource="metadata",status="200"')).toBe('2');
  expect(await counted('resource="metadata",status="304"')).toBe('1');
  expect(await counted('resource="none",status="404"')).toBe('1');
  expect(await counted('resource="probe",status="200"')).toBe('1');
  const bytes = await value('shelfpress_http_response_body_bytes_total{resource="metadata"}');
  expect(bytes).toBe(String(2 * body.length));
  const bucket = (le: string) =>
    value(`shelfpress_http_request_duration_seconds_bucket{le="${le}",resource="metadata"}`);
  expect(await bucket('+Inf')).toBe('3');
  expect(await bucket('120')).toBe('3');
  expect(await bucket('0.0001')).toMatch(/^[0-3]$/);
  const sum = await value('shelfpress_http_request_duration_seconds_sum{resource="metadata"}');
  expect(Number(sum)).toBeGreaterThan(0);
});

test('the metrics have the sequence and time of the publication being served, if there is one', async () => {
  using disk = new SiteOnDisk();
  await using running = await start(disk);
  const { value } = running;
  expect(await value('shelfpress_publication_sequence')).toBeUndefined();
  const site = exampleSite(revisions.first, 7);
  disk.publish(site);
  expect(await eventually(async () => (await value('shelfpress_publication_sequence')) === '7')).toBe(true);
  const seconds = Date.parse(site.pointer.published_at) / 1000;
  expect(await value('shelfpress_publication_published_timestamp_seconds')).toBe(String(seconds));
});

test('open connections, requests in flight and refused ones', async () => {
  await using running = await start(huge, ['--max-connections', '2', '--rate-limit', '1']);
  const { server, value } = running;
  expect(await value('shelfpress_http_connections')).toBe('0');
  const sockets = [connect(server.port, server.host), connect(server.port, server.host)];
  for (const socket of sockets) socket.pause().on('error', () => {});
  sockets[0]?.write(`GET ${hugeExportPath} HTTP/1.1\r\nHost: x\r\n\r\n`);
  expect(await eventually(async () => (await value('shelfpress_http_requests_in_flight')) === '1')).toBe(true);
  expect(await value('shelfpress_http_connections')).toBe('2');
  await server.raw('GET /v1 HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(await value('shelfpress_http_connections_refused_total')).toBe('1');
  for (const socket of sockets) socket.destroy();
  expect(await eventually(async () => (await value('shelfpress_http_connections')) === '0')).toBe(true);
  expect(await value('shelfpress_http_requests_in_flight')).toBe('0');
  await server.get('/v1/search?q=rye');
  await server.get('/v1/search?q=rye');
  expect(await value('shelfpress_rate_limited_total')).toBe('1');
});

test("no address from a reader's request becomes a label", async () => {
  await using running = await start(plain);
  const { server, scrape } = running;
  /**
   * The names and labels of our series. Those of the process appear when it does something, such as collecting garbage.
   */
  const seriesNow = async () => [...(await (await scrape()).text()).matchAll(/^shelfpress_\S+/gm)].map(String).sort();
  const ask = async (name: string) => {
    await server.get(`/v1/${name}`);
    await server.get(`/v1/products/by-sku/${name}`);
    await server.get(`/v1/metadata?${name}=1`);
  };
  await ask('000001');
  const before = await seriesNow();
  expect(before).toContain('shelfpress_http_requests_total{resource="metadata",status="400"}');
  for (let i = 100_002; i < 100_030; i++) await ask(String(i));
  expect(await seriesNow()).toEqual(before);
  expect(await (await scrape()).text()).not.toMatch(/"[^"]*100002[^"]*"/);
});

describe('the port of the metrics', () => {
  test("has them in Prometheus' format, with those of the process, and nothing else", async () => {
    await using running = await start(plain);
    const { scrape, url } = running;
    const response = await scrape();
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    const printed = await response.text();
    for (const name of ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'nodejs_eventloop_lag_seconds']) {
      expect(printed).toContain(`# TYPE ${name} `);
    }
    const head = await scrape('HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await scrape('POST')).status).toBe(405);
    expect((await fetch(new URL('/v1', url))).status).toBe(404);
  });

  test.each([
    [['--host', '127.0.0.2'], {}, '127.0.0.1'],
    [['--host', '127.0.0.2', '--metrics-host', '127.0.0.3'], {}, '127.0.0.3'],
    [[], { METRICS_HOST: '127.0.0.3' }, '127.0.0.3'],
  ])('with %j and %j listens at one address only', async (args, environment: Record<string, string>, host) => {
    await using running = await start(plain, args, environment);
    const { hostname, port } = new URL(running.url);
    expect(hostname).toBe(host);
    expect((await running.scrape()).status).toBe(200);
    const elsewhere = ['127.0.0.1', '127.0.0.2', '127.0.0.3'].filter((address) => address !== host);
    for (const address of elsewhere) await expect(fetch(`http://${address}:${port}/metrics`)).rejects.toThrow();
  });

  test('is set by --metrics-port, and the server does not start if it is taken', async () => {
    await using running = await start(plain);
    const { port } = new URL(running.url);
    const args = [plain.folder, '--port', '0', '--metrics-port', port];
    const { code, stderr } = await runServe(args).ended;
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        new RegExp(`^shelfpress: cannot listen on \\S+ port ${port}: another program uses this port.*\\n$`),
      ),
    ]);
  });
});
