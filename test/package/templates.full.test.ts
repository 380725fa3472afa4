import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openForReading } from '../../generator/database/database-file.ts';
import { fixtureFolders } from '../../generator/preview.ts';
import { readText, root } from '../project/repository.ts';
import { exampleSite, revisions } from '../serve/example-site.ts';
import { RunningServer } from '../serve/running-server.ts';
import { SiteOnDisk } from '../serve/site-on-disk.ts';
import { dumpOf } from '../support/database-dump.ts';
import { needing, program } from '../support/installed-programs.ts';
import { programFile } from '../support/programs.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

/* The files that run the program every day, checked with what this machine has for each. */

const folder = temporaryFolder();
const at = (...names: string[]) => join(folder, ...names);
const script = join(root, 'templates/every-day/publish-new');

/** A folder with the command `shelfpress`, as npm would install it. */
const path = `${at('bin')}:${process.env.PATH}`;

beforeAll(() => {
  mkdirSync(at('bin'));
  writeFileSync(
    at('bin', 'shelfpress'),
    `#!/bin/sh\nexec '${process.execPath}' '${programFile('generator/cli.ts')}' "$@"\n`,
  );
  chmodSync(at('bin', 'shelfpress'), 0o755);
});
afterAll(() => removeFolder(folder));

describe('publish-new', () => {
  const home = at('home');
  const here = { cwd: home, env: { ...process.env, PATH: path }, encoding: 'utf8' } as const;
  const publishNew = () => spawnSync(script, here);
  const incoming = () => readdirSync(at('home', 'incoming'));
  const published = () => readdirSync(at('home', 'published'));
  const arrives = (name: string, snapshot: string) =>
    cpSync(snapshot, at('home', 'incoming', name), { recursive: true });
  const [first = '', second = '', third = ''] = fixtureFolders();

  test('publishes what is complete, oldest first, moves it away and builds the site', () => {
    mkdirSync(at('home', 'incoming'), { recursive: true });
    arrives('2', second);
    arrives('1', first);
    arrives('.3', third);
    const stdout = expect.stringContaining('built publication 2');
    expect(publishNew()).toMatchObject({ status: 0, stderr: '', stdout });
    expect(incoming()).toEqual(['.3']);
    expect(published()).toEqual(['000001-1', '000002-2']);
  });

  test('with nothing new, or with a snapshot that is refused and stays where it is, it leaves the site', () => {
    const before = readFileSync(at('home', 'site', 'current.json'), 'utf8');
    expect(publishNew()).toMatchObject({ status: 0, stderr: '' });
    mkdirSync(at('home', 'incoming', '3'));
    const stderr = expect.stringContaining('snapshot 3 was not published');
    expect(publishNew()).toMatchObject({ status: 1, stderr });
    expect(incoming()).toContain('3');
    expect(readFileSync(at('home', 'site', 'current.json'), 'utf8')).toBe(before);
  });

  test('a folder whose name was published before is kept under another one', () => {
    rmSync(at('home', 'incoming', '3'), { recursive: true });
    arrives('2', third);
    expect(publishNew()).toMatchObject({ status: 0, stdout: expect.stringContaining('built publication 3') });
    expect(published()).toEqual(['000001-1', '000002-2', '000003-2']);
  });

  test('goes by the names without a slash, takes a link, and builds what came before a refusal', () => {
    const [fourth = '', fifth = ''] = fixtureFolders().slice(3);
    cpSync(fourth, at('fourth'), { recursive: true });
    symlinkSync(at('fourth'), at('home', 'incoming', '4'));
    arrives('4-2', fifth);
    mkdirSync(at('home', 'incoming', '5'));
    expect(publishNew()).toMatchObject({ status: 1, stdout: expect.stringContaining('built publication 5') });
    expect(incoming()).toEqual(['.3', '5']);
    expect(published().slice(3)).toEqual(['000004-4', '000005-4-2']);
    rmSync(at('home', 'incoming', '5'), { recursive: true });
  });

  test('a snapshot that comes again is put aside, and what is kept makes the database anew', () => {
    arrives('2', second);
    expect(publishNew()).toMatchObject({ status: 0, stderr: '' });
    expect(readdirSync(at('home', 'redelivered'))).toHaveLength(1);
    const rows = (file: string) => {
      const connection = openForReading(file);
      try {
        return dumpOf(connection);
      } finally {
        connection.close();
      }
    };
    const command = 'shelfpress publish published/*/ --db anew.sqlite';
    execFileSync('sh', ['-c', command], here);
    expect(rows(at('home', 'anew.sqlite'))).toEqual(rows(at('home', 'publication.sqlite')));
  });

  test('one run works at a time', needing('flock'), () => {
    const args = ['publish-new.lock', script];
    expect(spawnSync(program('flock'), args, here)).toMatchObject({
      status: 1,
      stderr: 'publish-new: another run is at work\n',
    });
  });
});

describe('systemd', () => {
  const units = readdirSync(join(root, 'templates/systemd'));

  test('takes the units without a warning, and finds them hardened', needing('systemd-analyze'), () => {
    mkdirSync(at('units'));
    for (const name of units) {
      // The programs of the units are not installed on this machine.
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
      // Exposure is 10 at worst; the threshold is in tenths.
      const { status } = spawnSync(program('systemd-analyze'), ['security', '--offline=yes', '--threshold=30', file]);
      expect(status, file).toBe(0);
    }
  });

  test('starts commands that exist', () => {
    const starts = units.flatMap((name) => readText(`templates/systemd/${name}`).match(/^ExecStart=.+$/gm) ?? []);
    expect(starts).toEqual([
      'ExecStart=/usr/local/bin/shelfpress-publish-new',
      'ExecStart=/usr/local/bin/shelfpress serve --dist /var/lib/shelfpress/site',
    ]);
  });
});

describe('docker', () => {
  const dockerfile = readText('templates/docker/Dockerfile');

  test('the check of health tells a server that is ready from one that is not', async () => {
    const [, code = ''] = /^HEALTHCHECK CMD node -e "(.+)"$/m.exec(dockerfile) ?? [];
    using disk = new SiteOnDisk(exampleSite(revisions.first));
    await using server = await RunningServer.start(['--dist', disk.folder]);
    const check = (port: number) =>
      execFileSync(process.execPath, ['-e', code.replace('127.0.0.1:8080', `127.0.0.1:${port}`)]);
    check(server.port);
    expect(() => check(1)).toThrow();
  });

  test('the program is started with options that it takes', async () => {
    const [, command = ''] = /^CMD (.+)$/m.exec(dockerfile) ?? [];
    const [name, , ...args] = JSON.parse(command) as string[];
    expect(name).toBe('shelfpress');
    await using server = await RunningServer.start(args, {}, folder);
    expect((await server.get('/healthz')).status).toBe(200);
  });

  test('what it copies is in the package', () => {
    const { files, bin } = JSON.parse(readText('package.json'));
    const named = [...dockerfile.matchAll(/node_modules\/shelfpress\/(\S+)/g)].map(([, file = '']) => file);
    expect(named).toEqual([bin.shelfpress, 'templates/every-day/publish-new']);
    expect(files).toContain('templates');
  });

  test('nginx takes the configuration in front', needing('nginx'), () => {
    const server = readText('templates/docker/nginx.conf').replace('serve:8080', '127.0.0.1:8080');
    const text = `pid ${at('nginx.pid')};\nevents {}\nhttp {\naccess_log off;\n${server.replace('listen 80', 'listen 18080')}\n}\n`;
    writeFileSync(at('nginx.conf'), text);
    const args = ['-t', '-e', at('error.log'), '-p', folder, '-c', at('nginx.conf')];
    const { status, stderr } = spawnSync(program('nginx'), args, { encoding: 'utf8' });
    expect({ status, stderr }, stderr).toMatchObject({ status: 0 });
  });

  test('compose takes its file', needing('docker compose'), () => {
    const file = join(root, 'templates/docker/compose.yaml');
    const environment = { ...process.env, CURSOR_SECRET: 'a secret of the tests' };
    const args = ['compose', '--file', file, '--profile', 'publish', 'config', '--quiet'];
    expect(spawnSync(program('docker compose'), args, { env: environment }).status).toBe(0);
  });
});
