import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Publication } from '../../generator/database/publications.ts';
import type { CorrectionRequest } from '../../generator/publish/correction.ts';
import { faultsIn, mirror } from '../mirror/published-sites.ts';
import { StaticHost } from '../mirror/static-host.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { runCommand } from '../support/command-line.ts';
import { curationOf, headerOf, productLine, retrievalLine, storeLine } from '../support/snapshot-writer.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { build, publishParts } from '../units/fixture-series.ts';
import { documentAt } from '../units/site-tree.ts';

type Line = Readonly<Record<string, unknown>>;

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const [database, site, copy] = [at('publication.sqlite'), at('site'), at('mirror')];
const reason = 'All prices were a hundred times too low: the source\'s "dollars" were read as cents.';
const skus = Array.from({ length: 60 }, (_, i) => String(100_001 + i));

/** Publishes a snapshot of 60 products. */
function publish(day: number, price: number, correction: CorrectionRequest | null = null) {
  const published_at = `2025-03-0${day}T12:00:00Z`;
  const products = skus.map((sku, i) => productLine(sku, { price_minor: price + i * 100 }));
  const stores = [storeLine('0001')];
  const lines = skus.map((sku) => retrievalLine(sku, published_at, [['0001', 3]]));
  const header = headerOf({ published_at }, { products, stores });
  const parts = { header, products, stores, inventory: { scope: ['0001'], lines }, curation: curationOf() };
  return publishParts(database, parts, { correction });
}

let hosts: { readonly whole: StaticHost; readonly public: StaticHost };
const [state, output] = [at('position.json'), at('events.ndjson')];

async function follow(...args: string[]): Promise<{ lines: Line[]; stderr: string }> {
  const result = await runInProcess('follow', hosts.public.url, '--once', '--output', output, ...args);
  expect(result.code, result.stderr).toBe(0);
  return { lines: linesIn(output), stderr: result.stderr };
}

function linesIn(file: string): Line[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

/** Builds the site, and continues the mirror and the follower without force. */
async function everybodyGoesOn(): Promise<Line[]> {
  await build(database, site);
  await mirror(hosts.whole.url, copy);
  expect(await faultsIn(site)).toEqual([]);
  expect(await faultsIn(copy)).toEqual([]);
  const { lines, stderr } = await follow('--state', state, '--types', 'price_changed');
  expect(stderr).toBe('');
  return lines;
}

/** What the documents of a site say about corrections. */
function readStatements(dist: string) {
  type Row = { revision: string; correction: unknown };
  type About = { correction: unknown; feed: { corrections: unknown } };
  const { correction, feed } = documentAt<{ data: About }>(dist, '/v1/metadata').data;
  const rows = documentAt<{ data: Row[] }>(dist, '/v1/metadata/publications').data;
  return {
    metadata: correction,
    feed: feed.corrections,
    publications: rows.map(({ revision, correction }) => [revision, correction]),
    manifest: documentAt<{ data: { corrections: unknown } }>(dist, '/v1/exports').data.corrections,
  };
}

let published: Publication[];
let exportBefore: Buffer;
const readExport = ({ revision }: Publication) =>
  readFileSync(`${site}/site/v1/exports/${revision}/products.ndjson.gz`);

beforeAll(async () => {
  hosts = { whole: await StaticHost.start(site), public: await StaticHost.start(`${site}/site`) };
  published = [await publish(1, 199_900)];
  expect(await everybodyGoesOn()).toEqual([]);
  published.push(await publish(2, 1_999));
  expect(await everybodyGoesOn()).toHaveLength(60);
  exportBefore = readExport(published[1] as Publication);
});
afterAll(async () => {
  await Promise.all([hosts.whole[Symbol.asyncDispose](), hosts.public[Symbol.asyncDispose]()]);
  removeFolder(folder);
});

describe('prices that were published a hundred times too low', () => {
  test('are corrected forward, and everybody sees it and continues', async () => {
    const [first, wrong] = published as [Publication, Publication];
    const right = await publish(3, 199_900, { revisions: [wrong.revision], reason });
    published.push(right);
    const lines = await everybodyGoesOn();

    const statement = { corrected_by_revision: right.revision, reason, corrected_at: '2025-03-03T12:00:00Z' };
    const corrected = [{ revision: wrong.revision, first_event: first.last_event + 1, last_event: wrong.last_event }];
    const inFeed = { number: 1, after_event: wrong.last_event, ...statement, corrected };
    const expected = {
      metadata: { revisions: [wrong.revision], ...statement },
      publications: [
        [right.revision, null],
        [wrong.revision, statement],
        [first.revision, null],
      ],
      manifest: [{ revision: wrong.revision, ...statement }],
      feed: [inFeed],
    };
    expect(readStatements(site)).toEqual(expected);
    expect(readStatements(copy)).toEqual(expected);

    const { number, ...rest } = inFeed;
    expect(lines).toHaveLength(121);
    expect(lines[60]).toEqual({ correction: number, ...rest });
    expect(lines.slice(61).map((line) => line.number)).toEqual(
      Array.from({ length: 60 }, (_, i) => wrong.last_event + 1 + i),
    );
    expect(readExport(wrong)).toEqual(exportBefore);
    expect(documentAt<{ data: { retained_event_count: number }[] }>(site, '/v1/changes').data).toHaveLength(
      right.last_event % 100 || 100,
    );
  });

  test('a killed follower repeats no correction and loses none', async () => {
    const whole = readFileSync(output, 'utf8');
    const lines = whole.split(/(?<=\n)/);
    const upTo = (count: number) => lines.slice(0, count).join('');
    for (const remaining of [
      `${upTo(60)}${lines[60]?.slice(0, 90)}`,
      upTo(61),
      `${upTo(61)}${lines[61]?.slice(0, 20)}`,
    ]) {
      writeFileSync(output, remaining);
      rmSync(state, { force: true });
      await follow('--state', state, '--types', 'price_changed');
      expect(readFileSync(output, 'utf8')).toBe(whole);
      expect(readFileSync(state, 'utf8')).toMatch(/^\{"event":\d+,"id":"[^"]+"/);
    }
  });

  test('a correction without an event is printed too, and the newest one about a publication counts', async () => {
    const [, wrong, right] = published as [Publication, Publication, Publication];
    const revisions = [right.revision, wrong.revision, wrong.revision];
    const again = await publish(4, 199_900, { revisions, reason: 'The reason was wrong too.' });
    expect(again.last_event).toBe(right.last_event);
    const lines = await everybodyGoesOn();
    expect(lines).toHaveLength(122);
    expect(lines.at(-1)).toMatchObject({
      correction: 2,
      after_event: right.last_event,
      corrected: [{ revision: wrong.revision }, { revision: right.revision }],
    });
    const statement = { corrected_by_revision: again.revision, reason: 'The reason was wrong too.' };
    const manifest = [right, wrong].map(({ revision }) => ({ revision, ...statement }));
    expect(readStatements(site)).toMatchObject({ manifest });
    expect(await everybodyGoesOn()).toHaveLength(122);
    rmSync(state);
    expect(await everybodyGoesOn()).toHaveLength(122);
  });

  test('follow --restart starts over, in a new file only', async () => {
    const refused = await runInProcess('follow', hosts.public.url, '--once', '--restart', '--output', output);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/--restart needs a new file, got one of [\d.]+ kB; name another/),
    });
    const other = at('again.ndjson');
    const args = ['--once', '--restart', '--state', state, '--types', 'price_changed', '--output', other];
    expect(await runInProcess('follow', hosts.public.url, ...args)).toMatchObject({ code: 0, stderr: '' });
    expect(linesIn(other)).toEqual(linesIn(output));
  });

  test('from a host without metadata, events are printed, with a notice that corrections are unknown', async () => {
    const part = at('part');
    const only = ['/v1/changes', '/v1/changes/**'];
    await mirror(hosts.whole.url, part, { only });
    await using host = await StaticHost.start(join(part, 'site'));
    const { code, stdout, stderr } = await runCommand('follow', host.url, '--once', '--types', 'price_changed');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `shelfpress: ${host.url}: /v1/metadata is missing: corrections are unknown\n`,
    });
    expect(stdout.split('\n')).toHaveLength(121);
  });
});

test('a correction after which all events are past retention is followed, and the site is sound', async () => {
  const [database, site] = [at('expired.sqlite'), at('expired')];
  let corrected: string | null = null;
  for (const [index, published_at] of ['2025-03-01T12:00:00Z', '2026-08-01T12:00:00Z'].entries()) {
    const [products, stores] = [[productLine('100001')], [storeLine('0001')]];
    const header = headerOf({ published_at }, { products, stores });
    const inventory = { scope: ['0001'], lines: [retrievalLine('100001', published_at, [['0001', 3]])] };
    const parts = { header, products, stores, inventory: index === 0 ? inventory : null, curation: curationOf() };
    const correction: CorrectionRequest | null =
      corrected === null ? null : { revisions: [corrected], reason: 'too late' };
    corrected = (await publishParts(database, parts, { correction })).revision;
  }
  await build(database, site);
  expect(await faultsIn(site)).toEqual([]);
  await using host = await StaticHost.start(join(site, 'site'));
  const followed = () => runCommand('follow', host.url, '--once', '--state', at('expired.json'));
  const first = await followed();
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(first.stdout)).toMatchObject({ correction: 1, after_event: 2, reason: 'too late' });
  expect(await followed()).toEqual({ code: 0, stdout: '', stderr: '' });
});
