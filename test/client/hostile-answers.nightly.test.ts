import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConnectionError, openSite, ProblemError, PublicationChangedError } from '../../client/open-site.ts';
import { readPrivateKey, writeKeyPair } from '../../generator/trust/keys.ts';
import { hostileAnswers } from '../mirror/hostile-answers.ts';
import { StaticHost } from '../mirror/static-host.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { build, publishFixtures } from '../units/fixture-series.ts';
import { unpack } from './served-sites.ts';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
let host: StaticHost;
let key: string;

beforeAll(async () => {
  writeKeyPair(at('site.key'));
  key = readFileSync(at('site.key.pub'), 'utf8');
  for (const count of [2, 3]) {
    await publishFixtures(at(`${count}.sqlite`), 0, count);
    await build(at(`${count}.sqlite`), at('dist'), {}, readPrivateKey(at('site.key')));
    unpack(at('dist'), at(String(count)));
    cpSync(at('dist/current.json.sig'), at(`${count}/current.json.sig`));
  }
  host = await StaticHost.start(at('3'));
});
afterAll(async () => {
  await host?.[Symbol.asyncDispose]();
  removeFolder(folder);
});

const options = { attempts: 1, timeoutMs: 400 };
const isOwn = (error: unknown) =>
  error instanceof ConnectionError || error instanceof ProblemError || error instanceof PublicationChangedError;

/** What a question gives: its answer, or the client's own error. Any other error is a fault of the client. */
async function outcome<Answer>(question: () => Promise<Answer>): Promise<Answer | 'refused'> {
  try {
    return await question();
  } catch (error) {
    if (isOwn(error)) return 'refused';
    throw error;
  }
}

const ask = async (how: object) => (await openSite(host.url, { ...options, ...how })).products().take(1000);

/** Lets the host answer at one address only in this way. */
function misbehave(path: string, { answer }: (typeof hostileAnswers)[number]): void {
  const [sound, earlier] = [readFileSync(at(`3${path}`)), readFileSync(at(`2${path}`))];
  host.intercept = ({ url }, response) => {
    if (url !== path) return false;
    answer(response, { sound, earlier });
    return true;
  };
}

test('there are more than forty ways', () => {
  expect(new Set(hostileAnswers.map(({ name }) => name)).size).toBe(hostileAnswers.length);
  expect(hostileAnswers.length).toBeGreaterThan(40);
});

/** The rows of each publication, from a host that behaves. */
async function rightRows(): Promise<string[]> {
  host.intercept = () => false;
  const rows = [];
  for (const count of [3, 2]) {
    host.folder = at(String(count));
    rows.push(JSON.stringify(await ask({})));
  }
  host.folder = at('3');
  return rows;
}

test.each(hostileAnswers)(
  'a list that is $name: an error, or the right rows for whoever asks for proof',
  async (way) => {
    const [right] = await rightRows();
    misbehave('/v1/products.json', way);
    const found = await outcome(() => ask({ proof: key }));
    expect([JSON.stringify('refused'), right]).toContain(JSON.stringify(found));
    const plain = await outcome(() => ask({}));
    expect(plain === 'refused' || plain.length > 0).toBe(true);
  },
);

test.each(hostileAnswers)('a pointer that is $name: an error, or the rows of one publication', async (way) => {
  const right = await rightRows();
  misbehave('/current.json', way);
  const found = await outcome(() => ask({ proof: key }));
  expect([JSON.stringify('refused'), ...right]).toContain(JSON.stringify(found));
});
