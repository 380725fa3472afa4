import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { StaticHost } from '../mirror/static-host.ts';
import { eventually, RunningServer } from '../serve/running-server.ts';
import { isCheck } from '../support/check-mode.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { publishLongHistory } from '../support/long-history.ts';
import { programFile } from '../support/programs.ts';
import { copyBuiltFixtures } from '../units/built-fixtures.ts';
import { build, publishFixtures, temporaryFolder } from '../units/fixture-series.ts';
import { documentAt } from '../units/site-tree.ts';

type Line = { readonly number: number; readonly id: string; readonly type: string };

const folder = temporaryFolder();
const at = (name: string) => join(folder.path, name);

/** Ids of all events of a site, oldest first, read from the pages alone. */
function readLog(site: string): string[] {
  const newestFirst: string[] = [];
  for (let next: string | null = '/v1/changes'; next !== null; ) {
    const page: { data: Line[]; links: { next: string | null } } = documentAt(site, next);
    newestFirst.push(...page.data.map(({ id }) => id));
    next = page.links.next;
  }
  return newestFirst.reverse();
}

const linesIn = (text: string): Line[] => text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));

let runs = 0;

/** The events that a run writes to its own file. */
async function follow(url: string, ...args: string[]): Promise<Line[]> {
  runs += 1;
  const file = at(`events-${runs}.ndjson`);
  const { code, stderr } = await runInProcess('follow', url, '--once', '--output', file, ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return existsSync(file) ? linesIn(readFileSync(file, 'utf8')) : [];
}

/** Expects all events of a site, each once and with its number. */
function expectWhole(lines: readonly Line[], site: string): void {
  const log = readLog(site);
  expect(lines.map(({ number, id }) => `${number} ${id}`)).toEqual(log.map((id, i) => `${i + 1} ${id}`));
}

beforeAll(async () => {
  await publishFixtures(at('early.sqlite'), 0, 6);
  await copyBuiltFixtures(at('early'), 6);
  await copyBuiltFixtures(at('late'), 12);
});
afterAll(folder.remove);

describe('from serve.ts', () => {
  async function startHost(site: string): Promise<AsyncDisposable & { url: string }> {
    const server = await RunningServer.start([site, '--port', '0']);
    return { url: `http://${server.host}:${server.port}`, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
  }

  test('each event is printed once, oldest first, across restarts and publications', async () => {
    const state = at('serve.state');
    const printed: Line[] = [];
    {
      await using host = await startHost(at('early'));
      printed.push(...(await follow(host.url, '--state', state)));
      expectWhole(printed, at('early'));
      expect(await follow(`${host.url}/v1/`, '--state', state)).toEqual([]);
    }
    await using host = await startHost(at('late'));
    printed.push(...(await follow(host.url, '--state', state)));
    expectWhole(printed, at('late'));
    expect(await follow(host.url, '--state', state)).toEqual([]);
    // Only the requested types, with their numbers in the feed.
    const some = await follow(host.url, '--types', 'price_changed,status_changed');
    expect(some).toEqual(printed.filter(({ type }) => ['price_changed', 'status_changed'].includes(type)));
    expect(some.length).toBeGreaterThan(5);
  });
});

describe.runIf(isCheck)('a file that grows', () => {
  /** A program that follows until the test ends, at the latest. */
  function startFollowing(args: readonly string[]) {
    const child = spawn(process.execPath, args, { stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  }

  test('has each event once, whenever follow is killed', async () => {
    const [state, output] = [at('killed.state'), at('killed.ndjson')];
    const size = () => (existsSync(output) ? statSync(output).size : 0);
    await using host = await StaticHost.start(at('late/site'));
    host.delayMs = 100;
    // A killed run can leave events without a position, half a line, or both.
    for (const [hasPosition, half] of [
      [false, ''],
      [true, '{"number":1'],
      [false, '{"num'],
    ] as const) {
      const before = size();
      const args = [programFile('generator/cli/cli.ts'), 'follow', host.url, '--state', state, '--output', output];
      const child = startFollowing(args);
      const ended = once(child, 'close');
      expect(await eventually(() => size() > before && existsSync(state))).toBe(true);
      child.kill('SIGKILL');
      await ended;
      if (!hasPosition) rmSync(state);
      appendFileSync(output, half);
    }
    expect(readFileSync(output, 'utf8').split('\n').length).toBeLessThan(readLog(at('late')).length);
    expect(await runInProcess('follow', host.url, '--once', '--state', state, '--output', output)).toMatchObject({
      code: 0,
    });
    expectWhole(linesIn(readFileSync(output, 'utf8')), at('late'));
  });

  test('continues with every publication until it is stopped', async () => {
    const [database, site, output] = [at('growing.sqlite'), at('growing'), at('growing.ndjson')];
    copyFileSync(at('early.sqlite'), database);
    await build(database, site);
    await using host = await StaticHost.start(join(site, 'site'));
    const args = [programFile('generator/cli/cli.ts'), 'follow', host.url, '--output', output, '--interval', '1'];
    const child = startFollowing(args);
    const ended = once(child, 'close');
    const has = (count: number) =>
      eventually(
        () => existsSync(output) && linesIn(readFileSync(output, 'utf8').replace(/[^\n]*$/, '')).length === count,
      );
    expect(await has(readLog(site).length)).toBe(true);
    await publishFixtures(database, 6, 8);
    await build(database, site);
    expect(await has(readLog(site).length)).toBe(true);
    child.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
    expectWhole(linesIn(readFileSync(output, 'utf8')), site);
  });
});

test.runIf(isCheck)('a list and an index from two publications are refused', async () => {
  const list = readFileSync(at('early/site/v1/changes.json'));
  await using host = await StaticHost.start(at('late/site'));
  host.intercept = ({ url }, response) => url === '/v1/changes' && Boolean(response.end(list));
  const { code, stdout, stderr } = await runInProcess('follow', host.url, '--once');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('from one publication, got them from two');
});

test('a site that is behind is waited for', async () => {
  const log = readLog(at('late'));
  await using early = await StaticHost.start(at('early/site'));
  writeFileSync(at('ahead.state'), JSON.stringify({ event: log.length, id: log.at(-1) }));
  const ahead = await runInProcess('follow', early.url, '--once', '--state', at('ahead.state'));
  expect(ahead).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('waiting for the site') });
});

test('events that left the feed unread are reported', async () => {
  await publishLongHistory(at('short.sqlite'), 1, 4, { asked: 5 });
  await build(at('short.sqlite'), at('short-site'));
  await using host = await StaticHost.start(at('short-site/site'));
  const { first_page } = documentAt<{ first_page: number }>(at('short-site'), '/v1/changes/pages.json');
  expect(first_page).toBeGreaterThan(1);
  const first = (first_page - 1) * 100 + 1;
  expect((await follow(host.url))[0]?.number).toBe(first);
  writeFileSync(at('short.state'), JSON.stringify({ event: 7, id: readLog(at('late'))[6] }));
  const args = ['--once', '--state', at('short.state'), '--output', at('short.ndjson')];
  const { stderr } = await runInProcess('follow', host.url, ...args);
  expect(stderr).toContain(`events 8 to ${first - 1} expired before they were read`);
  expect(linesIn(readFileSync(at('short.ndjson'), 'utf8'))[0]?.number).toBe(first);
});
