import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readText, root } from '../project/repository.ts';
import { exampleSite, revisions } from '../serve/example-site.ts';
import { RunningServer } from '../serve/running-server.ts';
import { SiteOnDisk } from '../serve/site-on-disk.ts';
import { needing, program } from '../support/installed-programs.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

/* The files that run the program every day, each checked with the programs that this machine has. */

const folder = temporaryFolder();
const at = (...names: string[]) => join(folder, ...names);
afterAll(() => removeFolder(folder));

describe('systemd', () => {
  const units = readdirSync(join(root, 'templates/systemd'));

  test('accepts the units without a warning, and finds them hardened', needing('systemd-analyze'), () => {
    mkdirSync(at('units'));
    for (const name of units) {
      // The programs that the units start are not installed on this machine.
      const text = readText(`templates/systemd/${name}`).replaceAll(/^ExecStart=\S+/gm, 'ExecStart=/bin/true');
      writeFileSync(at('units', name), text);
    }
    const files = units.map((name) => at('units', name));
    const { status, stderr } = spawnSync(program('systemd-analyze'), ['verify', ...files], { encoding: 'utf8' });
    expect({ status, stderr: stderr.split('\n').filter((line) => line.includes('shelfpress')) }).toEqual({
      status: 0,
      stderr: [],
    });
    for (const file of files.filter((name) => name.endsWith('.service'))) {
      // The worst exposure is 10; the threshold is in tenths.
      const { status } = spawnSync(program('systemd-analyze'), ['security', '--offline=yes', '--threshold=30', file]);
      expect(status, file).toBe(0);
    }
  });

  test('starts commands that exist', () => {
    const starts = units.flatMap((name) => readText(`templates/systemd/${name}`).match(/^ExecStart=.+$/gm) ?? []);
    expect(starts).toEqual([
      'ExecStart=/usr/local/bin/shelfpress update',
      'ExecStart=/usr/local/bin/shelfpress serve /var/lib/shelfpress/dist --wait',
    ]);
  });
});

describe('docker', () => {
  const dockerfile = readText('templates/docker/Dockerfile');

  test('the health check tells a server that is ready from one that is not', async () => {
    const [, code = ''] = /^HEALTHCHECK CMD node -e "(.+)"$/m.exec(dockerfile) ?? [];
    using disk = new SiteOnDisk(exampleSite(revisions.first));
    await using server = await RunningServer.start([disk.folder]);
    const check = (port: number) =>
      execFileSync(process.execPath, ['-e', code.replace('127.0.0.1:8080', `127.0.0.1:${port}`)]);
    check(server.port);
    expect(() => check(1)).toThrow();
  });

  test('the program is started with options that it has', async () => {
    const [, command = ''] = /^CMD (.+)$/m.exec(dockerfile) ?? [];
    const [name, , ...args] = JSON.parse(command) as string[];
    expect(Object.keys(JSON.parse(readText('package.json')).bin)).toContain(name);
    await using server = await RunningServer.start(args, {}, folder);
    expect((await server.get('/healthz')).status).toBe(200);
  });

  test('nginx accepts its configuration', needing('nginx'), () => {
    const server = readText('templates/docker/nginx.conf').replace('serve:8080', '127.0.0.1:8080');
    const text = `pid ${at('nginx.pid')};\nevents {}\nhttp {\naccess_log off;\n${server.replace('listen 80', 'listen 18080')}\n}\n`;
    writeFileSync(at('nginx.conf'), text);
    const args = ['-t', '-e', at('error.log'), '-p', folder, '-c', at('nginx.conf')];
    const { status, stderr } = spawnSync(program('nginx'), args, { encoding: 'utf8' });
    expect({ status, stderr }, stderr).toMatchObject({ status: 0 });
  });

  test('compose accepts its file', needing('docker compose'), () => {
    const file = join(root, 'templates/docker/compose.yaml');
    const environment = { ...process.env, CURSOR_SECRET: 'a secret of the tests' };
    const args = ['compose', '--file', file, '--profile', 'update', 'config', '--quiet'];
    expect(spawnSync(program('docker compose'), args, { env: environment }).status).toBe(0);
  });
});
