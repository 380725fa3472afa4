import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { exampleSite, hugeExport, hugeExportPath, revisions, siteWithHugeExport } from './example-site.ts';
import { eventually, RunningServer, runServe } from './running-server.ts';
import { sharedDisk } from './served-example.ts';
import type { SiteOnDisk } from './site-on-disk.ts';

const plain = sharedDisk(exampleSite(revisions.first));
const huge = sharedDisk(siteWithHugeExport());

/** A server that has been told to stop while a client does not read its download, and that download. */
async function stuckServer(disk: SiteOnDisk) {
  const server = await RunningServer.start([disk.folder]);
  const request = get({ host: server.host, port: server.port, path: hugeExportPath });
  request.on('error', () => {});
  const [download] = await once(request, 'response');
  server.signal('SIGTERM');
  return { server, download };
}

test.each(['SIGTERM', 'SIGINT'] as const)('%s after the first signal ends it at once', async (second) => {
  await using server = (await stuckServer(huge)).server;
  await server.logged({ msg: 'stopping' });
  // The first of these still count as an echo.
  const signals = setInterval(() => server.signal(second), 50);
  const { code } = await server.ended;
  clearInterval(signals);
  expect(code).toBe(1);
  expect(server.log.at(-1)).toMatchObject({ level: 'warn', msg: 'stopping at once' });
});

test('the echo of a signal, as npm sends it, does not count as a second one', async () => {
  const { server, download } = await stuckServer(huge);
  await using _ = server;
  // Another signal, because the system may deliver two of the same kind as one.
  server.signal('SIGINT');
  await server.logged({ msg: 'stopping' });
  const whole = await buffer(download);
  expect([(await server.ended).code, whole.equals(hugeExport)]).toEqual([0, true]);
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s right after the first line ends it just like later ones',
  async (signal) => {
    // The signal comes while the line is being printed, before anything else can happen.
    const atOnce = `
    const write = process.stdout.write.bind(process.stdout);
    process.stdout.write = (...line) => {
      write(...line);
      process.kill(process.pid, '${signal}');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    };`;
    const environment = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(atOnce)}` };
    const { code, stdout, stderr } = await runServe([plain.folder, '--port', '0'], environment).ended;
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Shelfpress serves .*\n$/)]);
    expect(stderr).toContain('"msg":"stopping"');
  },
);

test.each([
  ['begins', false],
  ['has begun', true],
])('a signal when it %s to build the fixtures ends it with exit code 0', async (_, hasBegun) => {
  const folder = temporaryFolder();
  const unfinished = () => readdirSync(folder).filter((name) => name.startsWith('shelfpress-'));
  try {
    const { child, output, ended } = runServe(['--port', '0'], { TMPDIR: folder }, folder);
    expect(await eventually(() => output.stderr.includes('building the bundled example'))).toBe(true);
    if (hasBegun) await eventually(() => unfinished().length > 0);
    child.kill('SIGTERM');
    const { code, stderr } = await ended;
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^dist has no publication yet.*\n$/)]);
    expect(unfinished()).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
