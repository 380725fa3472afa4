import { get } from 'node:http';
import { expect, test } from 'vitest';
import { exampleSite, hugeExportPath, revisions, siteWithHugeExport } from './example-site.ts';
import { RunningServer } from './running-server.ts';
import { SiteOnDisk } from './site-on-disk.ts';

/** A server with a download under way that nobody reads, told to stop. */
async function stuckServer(disk: SiteOnDisk): Promise<RunningServer> {
  const server = await RunningServer.start(['--dist', disk.folder]);
  const stuck = get({ host: server.host, port: server.port, path: hugeExportPath }, () => {});
  stuck.on('error', () => {});
  await new Promise((resolve) => stuck.once('response', resolve));
  server.signal('SIGTERM');
  await server.logged({ msg: 'stopping' });
  return server;
}

test.each(['SIGTERM', 'SIGINT'] as const)('%s after the first signal ends it at once', async (second) => {
  using disk = new SiteOnDisk(siteWithHugeExport());
  await using server = await stuckServer(disk);
  await new Promise((resolve) => setTimeout(resolve, 700));
  const started = performance.now();
  server.signal(second);
  const { code } = await server.ended;
  expect(code).toBe(1);
  expect(performance.now() - started).toBeLessThan(2000);
  expect(server.log.at(-1)).toMatchObject({ level: 'warn', msg: 'stopping at once' });
});

test('the echo of a signal, as npm sends it, is no second one', async () => {
  using disk = new SiteOnDisk(siteWithHugeExport());
  await using server = await stuckServer(disk);
  server.signal('SIGTERM');
  expect((await server.ended).code).toBe(0);
});

test('the last requests are in the log', async () => {
  using disk = new SiteOnDisk(exampleSite(revisions.first));
  await using server = await RunningServer.start(['--dist', disk.folder]);
  await server.get('/v1');
  server.signal('SIGINT');
  await server.ended;
  expect(server.log.map(({ target, msg }) => target ?? msg)).toEqual(['/v1', 'stopping']);
});
