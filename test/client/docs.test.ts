import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleClient } from '../../bin/package/client-bundle.ts';
import { openSite } from '../../client/open-site.ts';
import { FixtureSite } from '../http/fixture-site.ts';
import { readText } from '../project/repository.ts';
import { RunningServer } from '../serve/running-server.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

/* The examples of docs/client.md run as one program, and print what the page shows. */

const page = readText('docs/client.md');
const examples = [...page.matchAll(/^```js\n(.*?)^```\n\n```text\n(.*?)^```$/gms)].map(
  ([, code = '', printed = '']) => ({ code, printed }),
);
const separator = '-- next example --';
const folder = temporaryFolder();
let site: FixtureSite;
let server: RunningServer;

beforeAll(async () => {
  site = await FixtureSite.build();
  server = await RunningServer.start([site.dist]);
  for (const { name, text } of await bundleClient()) writeFileSync(join(folder, name), text);
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  site?.[Symbol.dispose]();
  removeFolder(folder);
});

test('its examples print what it shows', async () => {
  const program = examples
    .map(({ code }) => code)
    .join(`console.log('${separator}');\n`)
    .replaceAll("'shelfpress/client'", "'./open-site.js'")
    .replaceAll('http://127.0.0.1:8080', server.origin);
  writeFileSync(join(folder, 'program.mjs'), program);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['program.mjs'], { cwd: folder });
  expect(stderr).toBe('');
  expect(stdout.split(`${separator}\n`)).toEqual(examples.map(({ printed }) => printed));
  expect(examples.length).toBe(page.match(/^```js$/gm)?.length);
});

test('it names every function of a site', async () => {
  const opened = await openSite(server.origin);
  const own = Object.entries(opened).flatMap(([name, member]) => {
    if (typeof member === 'object') return Object.keys(member).map((inner) => `${name}.${inner}`);
    return typeof member === 'function' ? name : [];
  });
  const functions = [
    ...Object.getOwnPropertyNames(Object.getPrototypeOf(opened)).filter((name) => name !== 'constructor'),
    ...own.filter((name) => !/^(?:publication|opened)\./.test(name)),
  ];
  expect(functions).toEqual(expect.arrayContaining(['metadata', 'search', 'records', 'product.bySku']));
  expect(functions.filter((name) => !page.includes(`${name}(`))).toEqual([]);
});
