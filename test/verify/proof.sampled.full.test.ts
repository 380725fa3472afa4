import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Route } from '../../contract/schemas/site-files.ts';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import { noProof, readProof } from '../../generator/verify/proof.ts';
import { sampled } from '../support/check-mode.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { pick, type Random, seededRandom } from '../support/random.ts';
import { EditedSite, proofBeside } from './edited-site.ts';
import { useExampleSite } from './example-site.ts';

/*
 * Verification with the proof of the publication before. At night most tests of faults run it too, by way of
 * EditedSite.
 */

const example = useExampleSite(11, 12);
const day = 86_400_000;

/** Verifies with the proof of the publication before. */
async function verifyNews(folder: string) {
  const proof = readProof(proofBeside(example.folder), Number.POSITIVE_INFINITY, Date.now());
  return verifySite(folder, { proof });
}

test('it hashes every object, and checks and walks only what is new', async () => {
  const full = await verifySite(example.folder, { proof: noProof });
  const news = await verifyNews(example.folder);
  expect(news).toMatchObject({ faults: [], whyFull: null });
  for (const count of ['routes', 'objects', 'bytes', 'export_records'] as const)
    expect(news.counts[count]).toBe(full.counts[count]);
  expect(news.counts.known_addresses).toBeGreaterThan(100);
  expect(news.counts.known_lists).toBeGreaterThan(5);
  expect(news.counts.lists).toBe(full.counts.lists - news.counts.known_lists);
  expect(news.counts.known_files).toBeGreaterThan(5);
  expect(news.proof).toEqual({ ...full.proof, full_at: news.proof?.full_at });
});

/** Routes of the site that the proof is about: with the same bytes in both publications. */
function knownRoutes(site: EditedSite): Route[] {
  const [, before] = site.pointer.publications.flatMap(({ routes }) => (routes === null ? [] : [routes]));
  const { shards } = site.json(`objects/${before?.sha256.slice(0, 2)}/${before?.sha256}`);
  const routes = shards.flatMap(({ sha256 }: Route) => site.json(`objects/${sha256.slice(0, 2)}/${sha256}`).routes);
  const hashes = new Map(routes.map(({ path, sha256 }: Route) => [path, sha256]));
  return site.table.shards.flat().filter(({ path, sha256 }) => hashes.get(path) === sha256);
}

type Fault = (site: EditedSite, route: Route, known: readonly Route[], random: Random) => void;

const faults: Readonly<Record<string, Fault>> = {
  'a flipped bit': (site, { path }) => site.flipByte(site.objectOf(path)),
  'a missing object': (site, { path }) => site.remove(site.objectOf(path)),
  'a missing route': (site, { path }) => site.removeRoute(path),
  // Of an address of the same kind.
  'the bytes of another address': (site, route, known, random) => {
    const others = known.filter(({ media_type, sha256 }) => media_type === route.media_type && sha256 !== route.sha256);
    const { sha256, size, etag } = pick(random, others);
    site.editRoute(route.path, (edited) => {
      Object.assign(edited, { sha256, size, etag });
      delete edited.variants;
    });
  },
  'another size': (site, { path }) =>
    site.editRoute(path, (edited) => Object.assign(edited, { size: edited.size + 1 })),
  'another ETag': (site, { path }) =>
    site.editRoute(path, (edited) => Object.assign(edited, { etag: `"${'0'.repeat(32)}"` })),
};

const seeds = sampled([1, 2, 3, 4], 1);

test.each(Object.keys(faults).flatMap((name) => seeds.map((seed) => ({ name, seed }))))(
  'a fault in something known is found: $name (seed $seed)',
  async ({ name, seed }) => {
    const random = seededRandom(seed);
    const site = new EditedSite(example.folder, { isKnown: true });
    const known = knownRoutes(site);
    faults[name]?.(site, pick(random, known), known, random);
    expect(await site.faults()).not.toEqual([]);
  },
);

test('the table of the publication before, swapped in, is found', async () => {
  const site = new EditedSite(example.folder, { isKnown: true });
  site.editPointer((pointer) => {
    const [, before] = pointer.publications.flatMap(({ routes }) => (routes === null ? [] : [routes]));
    Object.assign(pointer, { routes: before });
    Object.assign(pointer.publications[0] ?? {}, { routes: before });
  });
  expect(await site.faults()).toContain('publication_mismatch current.json');
});

test('a row that moves over the seam between a known page and a new one is found', async () => {
  const site = new EditedSite(example.folder, { isKnown: true });
  const known = new Set(knownRoutes(site).map(({ path }) => path));
  const pages = site.paths(/^\/v1\/changes\/pages\/\d+\.json$/);
  const byNumber = (path: string) => Number(/(\d+)\.json$/.exec(path)?.[1]);
  const newest = pages.filter((path) => !known.has(path)).sort((a, b) => byNumber(a) - byNumber(b))[0] ?? '';
  expect(known.has(`/v1/changes/pages/${byNumber(newest) - 1}.json`)).toBe(true);
  const [, row] = site.document(`/v1/changes/pages/${byNumber(newest) - 1}.json`).data;
  site.editDocument(newest, ({ data }) => data.splice(-1, 1, row));
  expect(await site.faults()).toContain(`list_order /v1/changes/pages/${byNumber(newest) - 1}.json`);
});

/** Runs the command with a proof beside a copy of the site. */
async function run(site: EditedSite, ...flags: string[]) {
  const file = `${site.folder}-own-proof.json`;
  const { code, stdout } = await runInProcess('verify', site.folder, '--proof', file, '--json', ...flags);
  return { file, code, printed: JSON.parse(stdout) };
}

test('the command keeps a proof after a verification without a fault, and says what was known or why it checked all', async () => {
  const site = new EditedSite(example.folder, { isKnown: true });
  const { file } = await run(site);
  copyFileSync(proofBeside(example.folder), file);
  expect(await run(site)).toMatchObject({ code: 0, printed: { why_full: null } });
  const kept = readFileSync(file, 'utf8');
  expect(JSON.parse(kept).table).toBe(site.pointer.routes.sha256);
  const { printed } = await run(site);
  expect(printed).toMatchObject({ why_full: null, counts: { known_addresses: printed.counts.routes } });
  site.flipByte(site.objectOf('/v1/metadata'));
  expect(await run(site)).toMatchObject({ code: 1, printed: { ok: false } });
  expect(readFileSync(file, 'utf8')).toBe(kept);
});

test.each<[string, (proof: Record<string, unknown>) => unknown, RegExp]>([
  ['of other code', (proof) => ({ ...proof, code: '0'.repeat(64) }), /^other code checked it last time$/],
  ['that is due', (proof) => ({ ...proof, full_at: new Date(Date.now() - 8 * day).toISOString() }), /^the last full/],
  ['from the future', (proof) => ({ ...proof, full_at: new Date(Date.now() + day).toISOString() }), /^the last full/],
  ['of a table that is gone', (proof) => ({ ...proof, table: '0'.repeat(64) }), /is not kept any more$/],
  ['of another base URL', (proof) => ({ ...proof, context: '0' }), /^the base URL or the profile changed$/],
  ['that is not one', () => ({}), /is not a proof/],
])('a proof %s makes it a full verification', async (_, edit, reason) => {
  const site = new EditedSite(example.folder, { isKnown: true });
  const file = `${site.folder}-own-proof.json`;
  writeFileSync(file, JSON.stringify(edit(JSON.parse(readFileSync(proofBeside(example.folder), 'utf8')))));
  const { code, printed } = await run(site);
  expect(code).toBe(0);
  expect(printed.why_full).toMatch(reason);
  expect(printed.counts.known_addresses).toBe(0);
  expect(JSON.parse(readFileSync(file, 'utf8')).full_at > new Date(Date.now() - day).toISOString()).toBe(true);
  rmSync(file);
});
