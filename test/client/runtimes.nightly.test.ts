import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Log, LogLevel, Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleClient, type ClientFile } from '../../bin/package/client-bundle.ts';
import { pointerFile, signatureFile } from '../../contract/paths.ts';
import { publicKeyFile, readPrivateKey, writeKeyPair } from '../../generator/trust/keys.ts';
import { signedFile } from '../../generator/trust/signature-file.ts';
import { bucket } from '../hosts/bucket-host.ts';
import type { Host } from '../hosts/host.ts';
import { nginx } from '../hosts/plain-hosts.ts';
import { service } from '../hosts/shim-hosts.ts';
import { FixtureSite } from '../http/fixture-site.ts';
import { StaticHost } from '../mirror/static-host.ts';
import { readText } from '../project/repository.ts';
import { launchedChromium } from '../support/browser.ts';
import { needing } from '../support/installed-programs.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { unpack } from './served-sites.ts';

/*
 * The bundled client as programs load it, in three runtimes, at three hosts: the same script gets the same answers.
 */

/** A runtime that runs the script with the client. */
type Runtime = { readonly ask: (url: string, key: string) => Promise<unknown>; readonly stop: () => Promise<void> };

const folder = temporaryFolder();
const script = readText('test/client/questions.js');
let files: readonly ClientFile[];
let site: FixtureSite;
let key: string;
let expected: unknown;

beforeAll(async () => {
  files = await bundleClient();
  site = await FixtureSite.build();
  key = sign(site.dist);
  for (const { name, text } of [...files, { name: 'questions.js', text: script }]) {
    writeFileSync(join(folder, name), text);
  }
});
afterAll(() => {
  site?.[Symbol.dispose]();
  removeFolder(folder);
});

/** Signs the site, and returns the public key. */
function sign(dist: string): string {
  const file = join(folder, 'site.key');
  writeKeyPair(file);
  const pointer = readFileSync(join(dist, pointerFile));
  writeFileSync(
    join(dist, signatureFile),
    signedFile({ key: readPrivateKey(file), expires: null }, pointer, null, null),
  );
  return readFileSync(publicKeyFile(file), 'utf8');
}

async function inNode(): Promise<Runtime> {
  const { answers } = await import(pathToFileURL(join(folder, 'questions.js')).href);
  return { ask: answers, stop: async () => undefined };
}

/** A worker with this main module, with the questions and the client beside it. */
function startWorker(main: string): Miniflare {
  const modules = [{ name: 'main.js', text: main }, { name: 'questions.js', text: script }, ...files];
  return new Miniflare({
    modules: modules.map(({ name, text }) => ({ type: 'ESModule', path: join(folder, name), contents: text })),
    modulesRoot: folder,
    compatibilityDate: '2025-01-01',
    cf: false,
    log: new Log(LogLevel.NONE),
  });
}

async function inWorkerd(): Promise<Runtime> {
  const miniflare = startWorker(`
    import { answers } from './questions.js';
    export default {
      fetch: async (request) => Response.json(await answers(...(await request.json()))),
    };`);
  const at = await miniflare.ready;
  return {
    ask: async (...of) => (await fetch(at, { method: 'POST', body: JSON.stringify(of) })).json(),
    stop: () => miniflare.dispose(),
  };
}

/** A page that may not compile code from text, and reads sites from other origins. */
async function inChromium(): Promise<Runtime> {
  const server = pageServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const page = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    ask: async (url, key) => {
      const tab = await (await launchedChromium()).newPage();
      await tab.goto(page);
      const { found, violations } = await tab.evaluate<Outcome>(`(async () => {
        const violations = [];
        addEventListener('securitypolicyviolation', ({ violatedDirective }) => violations.push(violatedDirective));
        const { answers } = await import('/questions.js');
        return { found: await answers(...${JSON.stringify([url, key])}), violations };
      })()`);
      expect(violations).toEqual([]);
      await tab.close();
      return found;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

type Outcome = { readonly found: unknown; readonly violations: readonly string[] };

function pageServer(): Server {
  return createServer(({ url }, response) => {
    const name = (url ?? '').slice(1);
    const text = name === 'questions.js' ? script : files.find((file) => file.name === name)?.text;
    if (text !== undefined) response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(text);
    else {
      const policy = "default-src 'none'; script-src 'self'; connect-src *";
      response
        .writeHead(200, { 'Content-Type': 'text/html', 'Content-Security-Policy': policy })
        .end('<!doctype html>');
    }
  });
}

for (const { name, programs, start } of [service, nginx, bucket]) {
  describe(`at ${name}`, needing(...programs), () => {
    let host: Host;
    beforeAll(async () => {
      host = await start(site);
      expected ??= await (await inNode()).ask(host.url, key);
    });
    afterAll(() => host?.[Symbol.asyncDispose]());

    const answersAreTheSame = async (begin: () => Promise<Runtime>) => {
      const runtime = await begin();
      try {
        expect(await runtime.ask(host.url, key)).toEqual(expected);
      } finally {
        await runtime.stop();
      }
    };

    test('in Node', () => answersAreTheSame(inNode));
    test('in workerd', () => answersAreTheSame(inWorkerd));
    // A bucket does not allow pages of other origins to read it.
    if (name !== bucket.name) test('in Chromium', needing('chromium'), () => answersAreTheSame(inChromium));
  });
}

/*
 * A worker that keeps an opened site between requests. One request must not wait for what another one reads.
 */
const keepingWorker = `
  import { openSite } from './open-site.js';
  let site;
  export default {
    async fetch(request) {
      const query = new URL(request.url).searchParams;
      site ??= await openSite(query.get('site'), { proof: query.has('proof') });
      if (!query.has('q')) return Response.json(site.publication);
      const { data } = await site.search({ q: query.get('q') });
      const changes = await site.changes({ types: ['price_changed'] }).take(2);
      return Response.json([data.length, changes.length]);
    },
  };`;

test.each(['', '&proof'])('requests that reach a worker at the same time are answered%s', async (more) => {
  const unpacked = join(folder, `unpacked${more}`);
  unpack(site.dist, unpacked);
  await using host = await StaticHost.start(unpacked);
  const miniflare = startWorker(keepingWorker);
  try {
    const at = await miniflare.ready;
    await fetch(`${at}?site=${host.url}${more}`);
    // A slow host, so that the requests overlap.
    host.intercept = () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
      return false;
    };
    const ask = async (q: string) => (await fetch(`${at}?q=${q}&site=${host.url}${more}`)).text();
    const together = await Promise.all(['peach', 'rye', 'a', 'peach', 'rye'].map(ask));
    for (const text of together) expect(text.slice(0, 500)).toMatch(/^\[[1-9]\d*,2\]$/);
  } finally {
    await miniflare.dispose();
  }
});
