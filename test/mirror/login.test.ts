import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openSite } from '../../client/open-site.ts';
import { readSettings } from '../../shim/worker/service.ts';
import { RunningServer } from '../serve/running-server.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { SmallSites } from '../support/small-sites.ts';
import { StaticHost } from './static-host.ts';

/* Sites that ask for a login, and the ways in which its secret could leak. */

const sites = SmallSites.use(1);
const secret = 'b3Blbi1zZXNhbWU6c3dvcmRmaXNo';
const login = `Authorization: Basic ${secret}`;
let inner: RunningServer;
let gate: { readonly url: string; readonly close: () => void };
let headers: string;

beforeAll(async () => {
  inner = await RunningServer.start([sites.at('dist-1')]);
  gate = await startGate(inner.origin);
  headers = writeHeaders('headers', `# the login\n\n${login}\r\nX-Mirror: of a library\n`);
});
afterEach(() => {
  delete process.env.SHELFPRESS_HEADERS_FILE;
});
afterAll(async () => {
  gate?.close();
  await inner?.[Symbol.asyncDispose]();
});

/** A host that passes on requests with the login, and asks for it in answer to all others. */
async function startGate(origin: string) {
  const server = createServer((asked, response) => {
    if (asked.headers.authorization !== `Basic ${secret}`) {
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="mirrors"' }).end();
      return;
    }
    const passOn = (answer: IncomingMessage) =>
      answer.pipe(response.writeHead(answer.statusCode ?? 500, answer.headers));
    request(`${origin}${asked.url}`, { headers: asked.headers, method: asked.method }, passOn).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

function writeHeaders(name: string, text: string, mode = 0o600): string {
  const file = sites.at(name);
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

test('a site that asks for a login is mirrored, checked and followed with headers from a file, which are not stored anywhere', async () => {
  const [mirror, events] = [sites.fresh(), sites.fresh()];
  const refused = await runInProcess('mirror', gate.url, mirror);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('got status 401') });
  const with_ = ['--headers', headers, '--verbose'];
  const ran = [
    await runInProcess('mirror', gate.url, mirror, ...with_),
    await runInProcess('verify', gate.url, '--sample', '5', ...with_),
    await runInProcess('status', gate.url, '--json', ...with_),
    await runInProcess('follow', gate.url, '--once', '--output', events, ...with_),
    await runInProcess('diff', gate.url, mirror, ...with_),
  ];
  expect(ran.map(({ code, stderr }) => ({ code, stderr }))).toEqual(ran.map(() => ({ code: 0, stderr: '' })));
  expect(readFileSync(events, 'utf8')).toContain('"product_first_observed"');
  expect(readFileSync(`${mirror}/mirror.json`, 'utf8')).toContain(gate.url);
  for (const text of [readFileSync(`${mirror}/mirror.json`, 'utf8'), ...ran.map(({ stdout }) => stdout)])
    expect(text).not.toMatch(new RegExp(`${secret}|Authorization|of a library`, 'i'));
});

test('a variable names the file too, and is ignored for folders', async () => {
  process.env.SHELFPRESS_HEADERS_FILE = headers;
  const mirror = sites.fresh();
  expect(await runInProcess('mirror', gate.url, mirror)).toMatchObject({ code: 0, stderr: '' });
  expect(await runInProcess('verify', mirror)).toMatchObject({ code: 0, stderr: '' });
  process.env.SHELFPRESS_HEADERS_FILE = '';
  expect(await runInProcess('verify', gate.url)).toMatchObject({ code: 1 });
  expect(await runInProcess('verify', mirror, '--headers', headers)).toMatchObject({ code: 2 });
});

test('only the origin of the site gets the headers', async () => {
  await using other = await StaticHost.start(sites.at('dist-1'));
  await using site = await StaticHost.start(sites.at('dist-1'));
  const got: (string | undefined)[][] = [[], []];
  other.intercept = ({ headers }) => {
    got[1]?.push(headers.authorization);
    return false;
  };
  site.intercept = ({ headers, url = '' }, response) => {
    got[0]?.push(headers.authorization);
    if (!url.startsWith('/objects/')) return false;
    response.writeHead(302, { Location: `${other.url}${url}` }).end();
    return true;
  };
  const allowed = ['--allow-redirects-to', new URL(other.url).host];
  const mirrored = await runInProcess('mirror', site.url, sites.fresh(), '--headers', headers, ...allowed);
  expect(mirrored).toMatchObject({ code: 0, stderr: '' });
  expect(new Set(got[0])).toEqual(new Set([`Basic ${secret}`]));
  expect(new Set(got[1])).toEqual(new Set([undefined]));
  const compared = await runInProcess('diff', site.url, other.url, '--headers', headers);
  expect(compared).toMatchObject({ code: 2, stderr: expect.stringContaining('expected both URLs to be on the host') });
});

test.runIf(process.platform !== 'win32')('a file that others may read is refused', async () => {
  const file = writeHeaders('open', login, 0o640);
  const { code, stderr } = await runInProcess('mirror', gate.url, sites.fresh(), '--headers', file);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `shelfpress: ${file}: expected a file that only its owner may use, got mode 640; chmod 600 it [file]\n`,
  });
});

test.each([
  [`Authorization Basic ${secret}`, 'line 1: expected a header, as Name: value'],
  [`\nAuthorization: Basic ${secret}\u0007`, 'line 2: expected a header, as Name: value'],
  ['Authorization:', 'line 1: expected a header, as Name: value'],
  [`X-Key: ${secret}\nx-key: ${secret}`, 'line 2: expected x-key once'],
  [`Host: ${secret}`, 'line 1: expected no Host'],
])('a file with %j is refused, and its lines are not shown', async (text, said) => {
  const file = writeHeaders('faulty', text);
  const { code, stdout, stderr } = await runInProcess('status', gate.url, '--headers', file, '--json');
  expect({ code, said: stderr.includes(said) }, stderr).toEqual({ code: 1, said: true });
  expect(stdout + stderr).not.toContain(secret);
});

const urls = [
  'http://me:hunter2@127.0.0.1:9/v1',
  'https://:hunter2@example.org',
  'http://me:hun/ter2@x',
  'ftp://hunter2@x',
];
const commands: readonly ((url: string) => string[])[] = [
  (url) => ['mirror', url, sites.at('never')],
  (url) => ['follow', url, '--once'],
  (url) => ['status', url],
  (url) => ['verify', url],
  (url) => ['diff', sites.at('dist-1'), url],
  (url) => ['build', '--db', sites.at('1.sqlite'), '--out', sites.at('never'), '--base-url', url],
  (url) => ['build', '--db', sites.at('1.sqlite'), '--out', sites.at('never'), '--data-license', `CC0-1.0=${url}`],
  (url) => ['serve', sites.at('dist-1'), '--port', '0', '--base-url', url],
  (url) => ['hosts', sites.at('dist-1'), '--out', sites.at('never'), '--shim', url],
  (url) => ['deploy', sites.at('dist-1'), 's3://bucket', '--endpoint', url],
  (url) => ['deploy', sites.at('dist-1'), url.replace(/^\w+/, 's3')],
];

test.each(
  commands.map(
    (args) =>
      [
        args('URL')
          .filter((arg) => !arg.startsWith('/'))
          .join(' '),
        args,
      ] as const,
  ),
)('%s refuses a URL with a password, and does not repeat it', async (_, args) => {
  for (const url of urls) {
    const { code, stdout, stderr } = await runInProcess(
      ...args(url),
      ...(args(url)[0] === 'follow' ? [] : ['--json']),
      '--verbose',
    );
    expect({ url, code, said: stderr }).toMatchObject({
      url,
      code: 2,
      said: expect.stringContaining('expected a URL without a user name and a password'),
    });
    expect(stdout + stderr).not.toMatch(/hunter2|ter2@/);
  }
  expect(existsSync(sites.at('never'))).toBe(false);
});

test('so do settings, redirects, the client and the worker', async () => {
  const [url = ''] = urls;
  const settings = sites.at('settings.json');
  writeFileSync(settings, JSON.stringify({ base_url: url, database: sites.at('1.sqlite'), site: sites.at('never') }));
  const built = await runInProcess('build', '--settings', settings);
  expect(built).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`${settings} base_url: http://127.0.0.1:9/v1: `),
  });

  await using host = await StaticHost.start(sites.at('dist-1'));
  host.intercept = ({ url: path }, response) => {
    response.writeHead(302, { Location: host.url.replace('//', '//me:hunter2@') + path }).end();
    return true;
  };
  const redirected = await runInProcess('mirror', host.url, sites.fresh());
  expect(redirected).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('expected a redirect without a password'),
  });

  const said = [
    String(await reasonFor(openSite(url))),
    String(await reasonFor(openSite(host.url))),
    String(await reasonFor(Promise.resolve({ BASE_URL: url } as never).then(readSettings))),
  ];
  for (const text of said)
    expect(text).toMatch(/expected a URL without a user name|expected a redirect|without a user name/);
  for (const text of [...said, built.stdout + built.stderr, redirected.stderr]) expect(text).not.toContain('hunter2');
});

const reasonFor = (asked: Promise<unknown>): Promise<unknown> => asked.then(() => null).catch((reason) => reason);
