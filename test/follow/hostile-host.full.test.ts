import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { StaticHost } from '../mirror/static-host.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { SmallSites } from '../support/small-sites.ts';

const sites = SmallSites.use(1);
const host = StaticHost.use(sites.at('dist-1/site'));

/** The message of `follow` when the host answers like this for the list of changes. */
async function refusal(answer: (path: string) => string | null): Promise<string> {
  host.intercept = ({ url = '' }, response) => {
    const text = answer(url);
    return text !== null && Boolean(response.end(text));
  };
  const { code, stdout, stderr } = await runInProcess('follow', host.url, '--once');
  expect({ code, stdout, lines: stderr.split('\n').length }).toEqual({ code: 1, stdout: '', lines: 2 });
  expect(stderr.length).toBeLessThan(1000);
  return stderr;
}

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

test('JSON nested deep is refused, alone and in an event', async () => {
  const levels = 1_000_000;
  const list = readFileSync(sites.at('dist-1/site/v1/changes.json'), 'utf8');
  for (const text of [deep(levels), list.replace('"change":{', `"change":{"deep":${deep(levels)},`)]) {
    const said = await refusal((path) => (path === '/v1/changes' ? text : null));
    expect(said).toContain('expected JSON of at most 64 levels, got more');
  }
});

test('names of fields cannot steer a terminal, and are cut', async () => {
  const said = await refusal((path) => (path === '/v1/changes' ? `{"data":[{"id":"\\u001b[2J"}]}` : null));
  expect(said).not.toContain('\u001b');
  const long = JSON.stringify({ data: Array(1000).fill({ id: 'x' }) });
  await refusal((path) => (path === '/v1/changes' ? long : null));
});

test('more than a list has is cut off', async () => {
  const text = `"${'x'.repeat(17 * 1024 * 1024)}"`;
  expect(await refusal((path) => (path === '/v1/changes' ? text : null))).toContain('expected at most 16777216 bytes');
});

test('a page of more events than a page has is refused by their number', async () => {
  const list = JSON.parse(readFileSync(sites.at('dist-1/site/v1/changes.json'), 'utf8'));
  const text = JSON.stringify({ ...list, data: Array(3_000_000).fill({}) });
  const said = await refusal((path) => (path === '/v1/changes' ? text : null));
  expect(said).toContain('expected array to have <=100 items');
});

test('a redirect to another host is followed where it is allowed', async () => {
  await using other = await StaticHost.start(sites.at('dist-1/site'));
  const redirect = (name: string) => `${other.url}${name.endsWith('.json') ? name : `${name}.json`}`;
  host.intercept = ({ url = '' }, response) => Boolean(response.writeHead(302, { Location: redirect(url) }).end());
  const refused = await runInProcess('follow', host.url, '--once');
  const name = new URL(other.url).host;
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`--allow-redirects-to ${name} follows it`),
  });
  expect(other.taken()).toEqual([]);
  const file = sites.fresh();
  const followed = await runInProcess('follow', host.url, '--once', '--allow-redirects-to', name, '--output', file);
  expect(followed).toMatchObject({ code: 0, stderr: '' });
  expect(readFileSync(file, 'utf8').split('\n').length).toBeGreaterThan(1);
  expect((await runInProcess('follow', host.url, '--allow-redirects-to', 'http://x')).code).toBe(2);
});
