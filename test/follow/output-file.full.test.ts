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
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isBeginning, positionOf } from '../../generator/follow/lines.ts';
import { eventually } from '../serve/running-server.ts';
import { runCommand } from '../support/command-line.ts';
import { programFile } from '../support/programs.ts';
import { SmallSites } from '../support/small-sites.ts';
import { PlainHost } from './plain-host.ts';

let sites: SmallSites;
let host: PlainHost;
let whole: string;
const unreachable = 'http://127.0.0.1:9';
beforeAll(async () => {
  sites = await SmallSites.build(2);
  host = await PlainHost.start(sites.at('dist-2/site'));
  const output = fresh();
  expect(await follow(host.url, '--output', output)).toMatchObject({ code: 0, stderr: '' });
  whole = readFileSync(output, 'utf8');
  expect(whole.split('\n').length).toBeGreaterThan(5);
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  sites.remove();
});

let made = 0;
function fresh(content?: string | Buffer): string {
  made += 1;
  const folder = sites.at(`output-${made}`);
  mkdirSync(folder);
  const file = join(folder, 'events.ndjson');
  if (content !== undefined) writeFileSync(file, content);
  return file;
}

function follow(url: string, ...args: string[]) {
  return runCommand('follow', url, '--once', ...args);
}

describe('a file of something else is left as it is', () => {
  test.each([
    ['a text without a line feed', 'dear diary'],
    ['a text', 'dear diary\n'],
    ['other JSON without a line feed', '{"number":1,"name":"seven"}'],
    ['other JSON', '{"number":1,"id":"seven","type":"x"}\n'],
    ['a number too large', '{"number":99999999999999999999'],
    ['bytes', Buffer.from([0, 255, 254, 0])],
    ['a blank line', '\n'],
  ])('%s', async (_, content) => {
    const file = fresh(content);
    const { code, stderr } = await follow(host.url, '--output', file);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^shelfpress: .+: expected events that follow wrote before, got .+\n$/),
    });
    expect(readFileSync(file)).toEqual(Buffer.from(content));
  });

  test('events, and then a text without a line feed', async () => {
    const file = fresh(`${whole}a note of mine`);
    expect((await follow(host.url, '--output', file)).code).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe(`${whole}a note of mine`);
  });

  test('more than any line has, without a line feed', async () => {
    const file = fresh(Buffer.alloc(80 * 1024 * 1024, 'x'));
    expect((await follow(host.url, '--output', file)).stderr).toContain('got "a line without an end"');
    expect(statSync(file).size).toBe(80 * 1024 * 1024);
  });
});

describe('an unfinished line of our own', () => {
  test.each([1, 9, 10, 11, 12, 40, 70, 120])('of %i bytes is written whole', async (length) => {
    const file = fresh(whole.slice(0, length));
    expect(await follow(host.url, '--output', file)).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(file, 'utf8')).toBe(whole);
  });

  test.each(['alone', 'after whole ones'])('%s stays while the run fails', async (where) => {
    const end = where === 'alone' ? 30 : whole.length - 30;
    const file = fresh(whole.slice(0, end));
    expect((await follow(unreachable, '--output', file)).code).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe(whole.slice(0, end));
    const state = `${file}.state`;
    writeFileSync(state, '{"event":3,"id":"00000000-0000-4000-8000-000000000000"}\n');
    const { code, stderr } = await follow(host.url, '--output', file, '--state', state);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('this is another history') });
    expect(readFileSync(file, 'utf8')).toBe(whole.slice(0, end));
  });

  test('is told by its beginning, as far as there is one', () => {
    const [line = ''] = whole.split('\n');
    for (let length = 0; length <= line.length; length += 1) expect(isBeginning(line.slice(0, length))).toBe(true);
    expect(positionOf(line)?.event).toBe(1);
    for (const other of ['{"n', '[', '{"number":0', '{"number":1,"ID"'])
      expect(isBeginning(other)).toBe(other === '{"n');
  });
});

test('nothing is made where the host does not answer', async () => {
  const file = fresh();
  expect((await follow(unreachable, '--output', file)).code).toBe(1);
  expect(existsSync(file)).toBe(false);
});

test('events of another history than those of the file are refused, whatever the state says', async () => {
  const lines = whole.split('\n');
  const other = (lines[2] ?? '').replace(/"id":"[^"]+"/, '"id":"00000000-0000-4000-8000-000000000000"');
  const file = fresh(`${[...lines.slice(0, 2), other].join('\n')}\n`);
  const { number, id } = JSON.parse(lines[4] ?? '');
  writeFileSync(`${file}.state`, JSON.stringify({ event: number, id }));
  const { code, stderr } = await follow(host.url, '--output', file, '--state', `${file}.state`);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('expected event 3 to be 00000000') });
});

describe('two runs at once', () => {
  /** Starts a run that continues until it is told to stop, and waits until it has written what there is. */
  async function running(file: string, ...args: string[]): Promise<AsyncDisposable> {
    const command = [programFile('generator/cli.ts'), 'follow', host.url, '--output', file, ...args];
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

  test('the second says so, by whatever name it has the file', async () => {
    const file = fresh();
    const [link, dangling] = [`${file}.link`, `${file}.dangling`];
    symlinkSync(file, dangling);
    await using _ = await running(dangling);
    symlinkSync('events.ndjson', link);
    for (const name of [file, link, dangling]) {
      const { code, stderr } = await follow(host.url, '--output', name);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: `shelfpress: another run of follow writes to ${file}: wait until it ends\n`,
      });
    }
    expect(readFileSync(file, 'utf8')).toBe(whole);
  });

  test('of one state too', async () => {
    const file = fresh();
    await using _ = await running(file, '--state', `${file}.state`);
    const { code, stderr, stdout } = await follow(host.url, '--state', `${file}.state`);
    expect({ code, stderr, stdout }).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('another run of follow writes to '),
    });
  });

  test('by a hard link are told by the size, and no event is there twice', async () => {
    const [first = '', second = ''] = whole.split(/(?<=\n)/);
    const file = fresh(first);
    linkSync(file, `${file}.hard`);
    await using slow = await PlainHost.start(sites.at('dist-2/site'), { delayMs: 400 });
    const run = follow(slow.url, '--output', file);
    expect(await eventually(() => existsSync(`${file}.lock`))).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 300));
    appendFileSync(`${file}.hard`, second);
    const { code, stderr } = await run;
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('another program writes there') });
    expect(readFileSync(file, 'utf8')).toBe(first + second);
  });
});

describe('what is no regular file', () => {
  test('a folder is refused as output and as state, and a FIFO and a device as state', async () => {
    const folder = fresh();
    mkdirSync(folder);
    const fifo = `${folder}.fifo`;
    execFileSync('mkfifo', [fifo]);
    for (const [option, file, got] of [
      ['--output', folder, 'a folder'],
      ['--state', folder, 'a folder'],
      ['--state', fifo, 'a FIFO'],
      ['--state', '/dev/null', 'a device or a socket'],
    ] as const) {
      const { code, stderr } = await follow(host.url, option, file);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(`^shelfpress: .+: expected a file .+, got ${got}\n$`),
      });
    }
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('a FIFO and a device take the events; a FIFO that nobody reads is refused', async () => {
    const fifo = fresh();
    execFileSync('mkfifo', [fifo]);
    const refused = await follow(host.url, '--output', fifo);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('expected a FIFO that somebody reads, got ENXIO'),
    });
    const reader = spawn('cat', [fifo], { stdio: ['ignore', 'pipe', 'ignore'] });
    const read = text(reader.stdout);
    // The reader opens the FIFO some time after it was started.
    expect(await eventually(async () => (await follow(host.url, '--output', fifo)).code === 0)).toBe(true);
    expect(await read).toBe(whole);
    expect(await follow(host.url, '--output', '/dev/null')).toMatchObject({ code: 0, stderr: '' });
    expect((await follow(host.url, '--output', '/dev/stdout')).stdout).toBe(whole);
    const command = `"${process.execPath}" "${programFile('generator/cli.ts')}" follow ${host.url} --once --output /dev/stdout`;
    const shell = spawn('sh', ['-c', `${command} | cat`], { stdio: ['ignore', 'pipe', 'inherit'] });
    expect(await text(shell.stdout)).toBe(whole);
  });
});

describe('refused in a line', () => {
  test.each([
    ['garbage', 'seven'],
    ['an array', '[1]'],
    ['a long text', 'x'.repeat(100_000)],
    ['JSON nested deep', '['.repeat(1_000_000)],
    ['null', 'null'],
  ])('a state of %s', async (_, content) => {
    const state = fresh(content);
    const { code, stderr } = await follow(host.url, '--state', state);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^shelfpress: .+: expected a position like .+\n$/),
    });
    expect(stderr.length).toBeLessThan(500);
    expect(readFileSync(state, 'utf8')).toBe(content);
  });

  test('one file for both, a folder that is not there, a lock that is none, a position that cannot be written', async () => {
    const file = fresh();
    const both = await follow(host.url, '--output', file, '--state', join(file, '..', 'events.ndjson'));
    expect(both).toMatchObject({ code: 1, stderr: expect.stringContaining('expected two files, got one for both') });
    const nowhere = await follow(host.url, '--output', join(file, 'a', 'b'));
    expect(nowhere).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('expected a file to append to, got ENOENT'),
    });
    expect(existsSync(file)).toBe(false);
    mkdirSync(`${file}.lock`);
    const lock = await follow(host.url, '--output', file);
    expect(lock).toMatchObject({ code: 1, stderr: expect.stringContaining('expected a lock file, got a folder') });
    rmSync(`${file}.lock`, { recursive: true });
    writeFileSync(`${file}.lock`, 'something else');
    const taken = await follow(host.url, '--output', file);
    expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining('expected an empty lock file') });
    mkdirSync(`${file}.state.tmp`);
    const state = await runCommand('follow', host.url, '--interval', '1', '--state', `${file}.state`);
    expect(state).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/\.tmp: expected a file that can be written, got EISDIR/),
    });
  });

  test('a reader that goes away ends a run that would go on', async () => {
    const command = [programFile('generator/cli.ts'), 'follow', host.url, '--interval', '1'];
    const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    const [code] = await once(child, 'close');
    expect(code).toBe(1);
  });
});
