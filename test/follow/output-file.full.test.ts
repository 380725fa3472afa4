import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { StaticHost } from '../mirror/static-host.ts';
import { eventually } from '../serve/running-server.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { runCommand } from '../support/command-line.ts';
import { programFile } from '../support/programs.ts';
import { SmallSites } from '../support/small-sites.ts';

const sites = SmallSites.use(2);
const host = StaticHost.use(sites.at('dist-2/site'));
let whole: string;
beforeAll(async () => {
  whole = await written(fileWith());
  expect(whole.split('\n').length).toBeGreaterThan(5);
});
/** The path of a file in its own folder. */
function fileWith(content?: string | Buffer): string {
  const folder = sites.fresh();
  mkdirSync(folder);
  const file = join(folder, 'events.ndjson');
  if (content !== undefined) writeFileSync(file, content);
  return file;
}

function follow(url: string, ...args: string[]) {
  return runInProcess('follow', url, '--once', ...args);
}

/** Follows into a file. Returns the file's content. */
async function written(file: string): Promise<string> {
  expect(await follow(host.url, '--output', file)).toMatchObject({ code: 0, stderr: '' });
  return readFileSync(file, 'utf8');
}

/** Expects a run to fail with one line that contains this. */
async function expectRefused(message: string, ...args: string[]): Promise<void> {
  const { code, stdout, stderr } = await follow(host.url, ...args);
  expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(message) });
  expect(stderr).toMatch(/^shelfpress: [^\n]{1,500}\n$/);
}

test.each([
  ['a text', () => 'dear diary\n'],
  ['other JSON', () => '{"number":1,"id":"seven","type":"x"}\n'],
  ['bytes', () => Buffer.from([0, 255, 254, 0])],
  ['a blank line', () => '\n'],
  ['events, and then a text without a line feed', () => `${whole}a note of mine`],
  ['more than any line has, without a line feed', () => Buffer.alloc(80 * 1024 * 1024, 'x')],
])('a file of something else is not changed: %s', async (_, content) => {
  const file = fileWith(content());
  await expectRefused('expected events written by follow, got ', '--output', file);
  expect(readFileSync(file).equals(Buffer.from(content()))).toBe(true);
});

describe('an unfinished line of our own', () => {
  test.each([1, 120])('of %i bytes is written whole', async (length) => {
    expect(await written(fileWith(whole.slice(0, length)))).toBe(whole);
  });

  test('stays while the run fails', async () => {
    const part = whole.slice(0, -30);
    const file = fileWith(part);
    expect((await follow('http://127.0.0.1:9', '--output', file)).code).toBe(1);
    writeFileSync(`${file}.state`, '{"event":3,"id":"00000000-0000-4000-8000-000000000000"}\n');
    await expectRefused('this is another history', '--output', file, '--state', `${file}.state`);
    expect(readFileSync(file, 'utf8')).toBe(part);
  });
});

test('events of a different history than those in the file are refused, whatever the state says', async () => {
  const lines = whole.split('\n');
  const other = (lines[2] ?? '').replace(/"id":"[^"]+"/, '"id":"00000000-0000-4000-8000-000000000000"');
  const file = fileWith(`${[...lines.slice(0, 2), other].join('\n')}\n`);
  const { number, id } = JSON.parse(lines[4] ?? '');
  writeFileSync(`${file}.state`, JSON.stringify({ event: number, id }));
  await expectRefused('expected event 3 to be 00000000', '--output', file, '--state', `${file}.state`);
});

describe('two runs at once', () => {
  /** Starts a run that continues until it is stopped, and waits until it has written all present events. */
  async function running(file: string, ...args: string[]): Promise<AsyncDisposable> {
    const command = [programFile('generator/cli/cli.ts'), 'follow', host.url, '--output', file, ...args];
    const child = spawn(process.execPath, command, { stdio: 'ignore' });
    const ended = once(child, 'close');
    expect(await eventually(() => existsSync(file) && statSync(file).size === whole.length)).toBe(true);
    return {
      [Symbol.asyncDispose]: async () => {
        child.kill('SIGTERM');
        await ended;
      },
    };
  }

  test('the second says so, whatever name it uses for the file or the state', async () => {
    const file = fileWith();
    const [link, dangling] = [`${file}.link`, `${file}.dangling`];
    symlinkSync(file, dangling);
    await using _ = await running(dangling, '--state', `${file}.state`);
    symlinkSync('events.ndjson', link);
    for (const name of [file, link, dangling])
      await expectRefused(`another follow is writing to ${file}: wait until it ends`, '--output', name);
    await expectRefused('another follow is writing to ', '--state', `${file}.state`);
    expect(readFileSync(file, 'utf8')).toBe(whole);
  });

  test('through a hard link are noticed by the size, and no event is written twice', async () => {
    const [first = '', second = ''] = whole.split(/(?<=\n)/);
    const file = fileWith(first);
    linkSync(file, `${file}.hard`);
    host.delayMs = 400;
    const run = follow(host.url, '--output', file);
    expect(await eventually(() => existsSync(`${file}.lock`))).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 300));
    appendFileSync(`${file}.hard`, second);
    const { code, stderr } = await run;
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('another program is writing to it') });
    expect(readFileSync(file, 'utf8')).toBe(first + second);
  });
});

describe('anything but a regular file', () => {
  test('a folder is refused as output and as state, and a FIFO and a device as state', async () => {
    const folder = fileWith();
    mkdirSync(folder);
    execFileSync('mkfifo', [`${folder}.fifo`]);
    await expectRefused('expected a file to append to, got a folder', '--output', folder);
    await expectRefused('expected a file to keep the position in, got a folder', '--state', folder);
    await expectRefused('expected a file to keep the position in, got a FIFO', '--state', `${folder}.fifo`);
    await expectRefused('expected a file to keep the position in, got a device', '--state', '/dev/null');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('a FIFO and a device take the events; a FIFO that nobody reads is refused', async () => {
    const fifo = fileWith();
    execFileSync('mkfifo', [fifo]);
    await expectRefused('expected a FIFO with a reader, got ENXIO', '--output', fifo);
    const reader = spawn('cat', [fifo], { stdio: ['ignore', 'pipe', 'ignore'] });
    const read = text(reader.stdout);
    // The reader opens the FIFO some time after it has started.
    expect(await eventually(async () => (await follow(host.url, '--output', fifo)).code === 0)).toBe(true);
    expect(await read).toBe(whole);
    expect(await follow(host.url, '--output', '/dev/null')).toMatchObject({ code: 0, stderr: '' });
    expect((await runCommand('follow', host.url, '--once', '--output', '/dev/stdout')).stdout).toBe(whole);
  });
});

describe('refused in a line', () => {
  test('an invalid state', async () => {
    for (const content of ['seven', '['.repeat(1_000_000), 'null']) {
      const state = fileWith(content);
      await expectRefused('expected a position like ', '--state', state);
      expect(readFileSync(state, 'utf8')).toBe(content);
    }
  });

  test('one file for both, a missing folder, an invalid lock, a position that cannot be written', async () => {
    const file = fileWith();
    const sameFile = join(file, '..', 'events.ndjson');
    await expectRefused(
      'expected different files for --state and --output, got the same',
      '--output',
      file,
      '--state',
      sameFile,
    );
    await expectRefused('expected a file to append to, got no such file or folder', '--output', join(file, 'a', 'b'));
    expect(existsSync(file)).toBe(false);
    mkdirSync(`${file}.lock`);
    await expectRefused('expected a lock file, got a folder', '--output', file);
    rmSync(`${file}.lock`, { recursive: true });
    writeFileSync(`${file}.lock`, 'something else');
    await expectRefused('expected an empty lock file', '--output', file);
    mkdirSync(`${file}.state.tmp`);
    const state = await runCommand('follow', host.url, '--interval', '1', '--state', `${file}.state`);
    expect(state.stderr).toMatch(/\.tmp: expected a file that can be written, got EISDIR/);
    expect(state.code).toBe(1);
  });

  test('a reader that goes away ends a run that would continue', async () => {
    const command = [programFile('generator/cli/cli.ts'), 'follow', host.url, '--interval', '1'];
    const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    const [code] = await once(child, 'close');
    expect(code).toBe(1);
  });
});
