import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Log, LogLevel, Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleClient, type ClientFile } from '../../generator/client-bundle.ts';
import { pointerFile, signatureFile } from '../../generator/contract/paths.ts';
import { publicKeyFile, readPrivateKey, writeKeyPair } from '../../generator/site/keys.ts';
import { signedLines } from '../../generator/site/pointer-trust.ts';
import { bucket } from '../hosts/bucket-host.ts';
import type { Host } from '../hosts/host.ts';
import { nginx } from '../hosts/plain-hosts.ts';
import { service } from '../hosts/shim-hosts.ts';
import { FixtureSite } from '../http/fixture-site.ts';
import { readText } from '../project/repository.ts';
import { launchedChromium } from '../support/browser.ts';
import { needing } from '../support/installed-programs.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

/* The bundled client as programs load it, in three runtimes, at three hosts: the same script has the same answers. */

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
  // A small site, because the bucket takes a request for each file.
  site = await FixtureSite.build(2);
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
  writeFileSync(join(dist, signatureFile), signedLines(readPrivateKey(file), pointer, null, null));
  return readFileSync(publicKeyFile(file), 'utf8');
}

async function inNode(): Promise<Runtime> {
  const { answers } = await import(pathToFileURL(join(folder, 'questions.js')).href);
  return { ask: answers, stop: async () => undefined };
}

async function inWorkerd(): Promise<Runtime> {
  const main = `
    import { answers } from './questions.js';
    export default {
      fetch: async (request) => Response.json(await answers(...(await request.json()))),
    };`;
  const modules = [{ name: 'main.js', text: main }, { name: 'questions.js', text: script }, ...files];
  const miniflare = new Miniflare({
    modules: modules.map(({ name, text }) => ({ type: 'ESModule', path: join(folder, name), contents: text })),
    modulesRoot: folder,
    compatibilityDate: '2025-01-01',
    cf: false,
    log: new Log(LogLevel.NONE),
  });
  const at = await miniflare.ready;
  return {
    ask: async (...of) => (await fetch(at, { method: 'POST', body: JSON.stringify(of) })).json(),
    stop: () => miniflare.dispose(),
  };
}

/** A page that may not compile code from text, and reads sites of other origins. */
async function inChromium(): Promise<Runtime> {
  const server = pageServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const page = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    ask: async (url, key) => {
      const tab = await (await launchedChromium()).newPage();
      // A bucket lets no page of another origin read it, so there the page is of its own origin.
      const origin = (await answersToAll(url)) ? page : `${url}/`;
      if (origin !== page) {
        await tab.route(/\/(?:\w[\w-]*\.js)?$/, async (route) => {
          const answer = await fetch(new URL(new URL(route.request().url()).pathname, page));
          const headers = Object.fromEntries(answer.headers);
          await route.fulfill({ status: answer.status, headers, body: Buffer.from(await answer.arrayBuffer()) });
        });
      }
      await tab.goto(origin);
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

async function answersToAll(url: string): Promise<boolean> {
  return (await fetch(`${url}/v1/metadata`)).headers.get('Access-Control-Allow-Origin') === '*';
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
    test('in Chromium', needing('chromium'), () => answersAreTheSame(inChromium));
  });
}
