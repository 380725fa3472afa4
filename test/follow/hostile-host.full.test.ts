import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { feedReader } from '../../generator/cli/follow/feed-reader.ts';
import { Failure } from '../../generator/files/failure.ts';
import { hostileAnswers } from '../mirror/hostile-answers.ts';
import { StaticHost } from '../mirror/static-host.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { SmallSites } from '../support/small-sites.ts';

const sites = SmallSites.use(2);
const host = StaticHost.use(sites.at('dist-1/site'));

const read = () => readFileSync(sites.at('dist-1/site/v1/changes.json'), 'utf8');
const deep = '['.repeat(1_000_000) + ']'.repeat(1_000_000);

test.each<[string, () => string, string]>([
  ['JSON nested deep', () => deep, 'expected JSON of at most 64 levels, got more'],
  [
    'an event with that',
    () => read().replace('"change":{', `"change":{"deep":${deep},`),
    'at most 64 levels, got more',
  ],
  ['names that steer a terminal', () => '{"data":[{"id":"\\u001b[2J"}]}', 'at data[0].id, got '],
  ['a hundred faults', () => JSON.stringify({ data: Array(100).fill({ id: 'x' }) }), 'at data[0].id, got '],
  ['more than a list has', () => `"${'x'.repeat(17 * 1024 * 1024)}"`, 'expected at most 16777216 bytes'],
  [
    'more events than a page has',
    () => JSON.stringify({ ...JSON.parse(read()), data: Array(3_000_000).fill({}) }),
    'expected at most 100 entries at data, got [',
  ],
])('%s: refused in one short line', async (_, text, message) => {
  host.intercept = ({ url }, response) => url === '/v1/changes' && Boolean(response.end(text()));
  const { code, stdout, stderr } = await runInProcess('follow', host.url, '--once');
  expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(message) });
  expect(stderr).toMatch(/^\P{Cc}{1,1000}\n$/u);
});

test('a redirect to another host is followed if it is allowed', async () => {
  await using other = await StaticHost.start(sites.at('dist-1/site'));
  const redirect = (name: string) => `${other.url}${name.endsWith('.json') ? name : `${name}.json`}`;
  host.intercept = ({ url = '' }, response) => Boolean(response.writeHead(302, { Location: redirect(url) }).end());
  const refused = await runInProcess('follow', host.url, '--once');
  const name = new URL(other.url).host;
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`pass --allow-redirects-to ${name} to follow it`),
  });
  expect(other.taken()).toEqual([]);
  const file = sites.fresh();
  const followed = await runInProcess('follow', host.url, '--once', '--allow-redirects-to', name, '--output', file);
  expect(followed).toMatchObject({ code: 0, stderr: '' });
  expect(readFileSync(file, 'utf8').split('\n').length).toBeGreaterThan(1);
  expect((await runInProcess('follow', host.url, '--allow-redirects-to', 'http://x')).code).toBe(2);
});

describe('follow, from a host whose answer is', () => {
  const patience = {
    attempts: 1,
    firstWaitMs: 0,
    longestWaitMs: 0,
    idleMs: 400,
    windowMs: 400,
    leastBytesPerWindow: 1024,
  };
  const events = async () => (await feedReader(host.url, { patience }).read()).head;

  test.each(hostileAnswers)('$name: a failure that is explained, or events of the site', async ({ answer }) => {
    host.folder = sites.at('dist-2/site');
    const right = await events();
    const path = '/v1/changes.json';
    const [earlier, sound] = [1, 2].map((count) => readFileSync(sites.at(`dist-${count}/site${path}`)));
    if (earlier === undefined || sound === undefined) throw new Error('there are two sites');
    host.intercept = ({ url }, response) => {
      if (url !== path) return false;
      answer(response, { sound, earlier });
      return true;
    };
    const found = await events().catch((error: unknown) => error);
    if (found instanceof Failure) expect(found.message).toMatch(/^\P{Cc}{1,1000}$/u);
    else expect(right).toEqual(expect.arrayContaining(found as object[]));
  });
});
