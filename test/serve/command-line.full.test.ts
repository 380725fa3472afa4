import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, symlinkSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { runInProcess } from '../support/command-in-process.ts';
import { exampleSite, hugeExport, hugeExportPath, revisions, siteWithHugeExport } from './example-site.ts';
import { eventually, RunningServer, runServe } from './running-server.ts';
import { sharedDisk } from './served-example.ts';
import { SiteOnDisk } from './site-on-disk.ts';

const plain = sharedDisk(exampleSite(revisions.first));
const huge = sharedDisk(siteWithHugeExport());

describe('options', () => {
  test('the first line says where it serves, before anything else is printed', async () => {
    await using server = await RunningServer.start([plain.folder]);
    expect(server.output.stdout).toBe(`Shelfpress serves ${plain.folder} at http://127.0.0.1:${server.port}/v1\n`);
  });

  test('SITE, HOST and PORT do the same, and options override them', async () => {
    const environment = { SITE: plain.folder, HOST: 'localhost', PORT: '1' };
    await using server = await RunningServer.start([], environment);
    expect(server.host).toBe('localhost');
    expect((await server.get('/v1')).status).toBe(200);
  });

  test('the default folder is dist, served as it is if it has a publication', async () => {
    using disk = new SiteOnDisk(exampleSite(revisions.first));
    symlinkSync('.', join(disk.folder, 'dist'));
    await using server = await RunningServer.start([], {}, disk.folder);
    expect(server.output.stdout).toContain('Shelfpress serves dist at');
    expect((await server.get('/v1')).status).toBe(200);
  });

  test('--base-url is where problem types have their addresses', async () => {
    using disk = new SiteOnDisk();
    await using server = await RunningServer.start([disk.folder, '--base-url', 'https://example.org']);
    const reply = await server.get('/nothing');
    expect(JSON.parse(reply.body.toString()).type).toBe('https://example.org/v1/problems/RESOURCE_NOT_FOUND');
  });

  test('--help explains every option, with an example', async () => {
    const { code, stdout, stderr } = await runServe(['--help']).ended;
    expect([code, stderr]).toEqual([0, '']);
    const options = ['--host', '--port', '--base-url', '--rate-limit', '--trust-proxy', '--max-connections'];
    const others = [
      '--metrics-port',
      '--metrics-host',
      '--log-level',
      '--help',
      'SITE',
      'CURSOR_SECRET',
      'Example:\n  shelfpress serve',
    ];
    for (const word of [...options, ...others]) expect(stdout).toContain(word);
    const lines = stdout.split('\n');
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
  });

  test.each([
    [['--nonsense'], '--nonsense'],
    [['folder', 'other'], 'too many arguments'],
    [['--port', 'http'], "got 'http'"],
    [['--port', '65536'], "got '65536'"],
    [['--port=-1'], "got '-1'"],
    [['--port'], '--port'],
    [[''], "argument 'site'"],
    [['--base-url', 'example.org'], "got 'example.org'"],
    [['--rate-limit', '-1'], '--rate-limit'],
    [['--rate-limit', '1.5'], "got '1.5'"],
    [['--max-connections', '0'], "got '0'"],
    [['--metrics-port', '70000'], "got '70000'"],
    [['--log-level', 'loud'], "got 'loud'"],
    [['--trust-proxy', 'localhost'], 'localhost'],
    [['--trust-proxy', '10.0.0.0/33'], '10.0.0.0/33'],
    [['--trust-proxy', 'loopback,'], 'the proxies to trust'],
  ])('%j is a usage error: exit 2 and one line that says why', async (args, reason) => {
    const { code, stdout, stderr } = await runInProcess('serve', ...args);
    expect([code, stdout]).toEqual([2, '']);
    const [why = ''] = stderr.split('\n');
    expect(why).toContain(reason);
  });

  test.each([
    [{ RATE_LIMIT_PER_MINUTE: 'many' }, "got 'many'"],
    [{ TRUST_PROXY: '10.0.0.0/8,everybody' }, 'everybody'],
    [{ MAX_CONNECTIONS: '1e3' }, "got '1e3'"],
    [{ METRICS_PORT: 'on' }, "got 'on'"],
    [{ LOG_LEVEL: 'INFO' }, "got 'INFO'"],
    [{ CURSOR_SECRET: 'fifteen letters' }, 'CURSOR_SECRET expects at least 16 characters, got 15'],
    [{ CURSOR_SECRET_PREVIOUS: 'short' }, 'CURSOR_SECRET_PREVIOUS expects at least 16 characters, got 5'],
    [{ CURSOR_SECRET: '', CURSOR_SECRET_PREVIOUS: 'a secret of the past' }, 'CURSOR_SECRET is not'],
  ])('so is the variable %j', async (environment: Record<string, string>, reason) => {
    const { code, stdout, stderr } = await runServe([], environment).ended;
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(reason);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    for (const secret of ['fifteen letters', 'short', 'a secret of the past']) expect(stderr).not.toContain(secret);
  });

  test('there is a warning without a secret, and none with one', async () => {
    await using without = await RunningServer.start([plain.folder], { CURSOR_SECRET: '' });
    expect(await without.logged({ level: 'warn' })).toMatchObject({ msg: expect.stringContaining('CURSOR_SECRET') });
    const environment = { CURSOR_SECRET: 'sixteen letters!', CURSOR_SECRET_PREVIOUS: 'a secret of the past' };
    await using withBoth = await RunningServer.start([plain.folder], environment);
    await withBoth.get('/v1');
    await withBoth.logged({ target: '/v1' });
    expect(withBoth.complaints).toEqual([]);
  });

  test('a port that is taken: exit 1 and one line', async () => {
    await using server = await RunningServer.start([plain.folder]);
    const { code, stderr } = await runServe([plain.folder, '--port', String(server.port)]).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^shelfpress: cannot listen on 127\.0\.0\.1 port \d+: another program uses this port: .*\n$/,
    );
  });
});

describe('what cannot be served', () => {
  test.each([
    ['an empty folder', () => new SiteOnDisk(), 'site_missing'],
    [
      'a pointer of another format',
      () => {
        const disk = new SiteOnDisk(exampleSite(revisions.first));
        disk.replacePointer(Buffer.from('{"format": "another"}'));
        return disk;
      },
      'site_damaged',
    ],
  ])('%s ends it at once', async (_, make, failure) => {
    using disk = make();
    const { code, stdout, stderr } = await runServe([disk.folder, '--port', '0']).ended;
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(new RegExp(`^shelfpress: [^\\n]+ \\[${failure}\\]\\n$`));
  });
});

describe('stopping', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('%s ends it, although a connection is kept alive', async (signal) => {
    await using server = await RunningServer.start([plain.folder]);
    await server.get('/v1');
    server.signal(signal);
    expect((await server.ended).code).toBe(0);
  });

  test('a running download is finished, and no new connection is accepted', async () => {
    await using server = await RunningServer.start([huge.folder]);
    const chunks: Buffer[] = [];
    const finished = new Promise<void>((resolve, reject) => {
      get({ host: server.host, port: server.port, path: hugeExportPath }, async (response) => {
        server.signal('SIGTERM');
        await eventually(() => server.output.stderr.includes('stopping'));
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', resolve);
        response.on('error', reject);
      }).on('error', reject);
    });
    await finished;
    expect(Buffer.concat(chunks).equals(hugeExport)).toBe(true);
    expect((await server.ended).code).toBe(0);
    await expect(server.get('/v1')).rejects.toThrow('ECONNREFUSED');
  });
});

test('the command of npm start serves a site, and a signal ends it', async () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  const [, ...start] = scripts.start.split(' ');
  const child = execFile(process.execPath, [...start, plain.folder, '--port', '0'], { cwd: root });
  const ended = once(child, 'close');
  let stdout = '';
  child.stdout?.on('data', (text) => {
    stdout += text;
  });
  const started = await eventually(() => /http:\/\/127\.0\.0\.1:\d+\/v1\n/.test(stdout));
  child.kill('SIGTERM');
  expect([started, await ended]).toEqual([true, [0, null]]);
});
