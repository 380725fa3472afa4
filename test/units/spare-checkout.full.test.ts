import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkoutFolder } from '../../contract/paths.ts';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import { buildUnfinished, unfinishedText } from '../../generator/site/foreign-folder.ts';
import { absentList, spareFolder } from '../../generator/site/spare-checkout.ts';
import { randomWorld, thinned, type WorldSnapshot } from '../support/random-world.ts';
import { writeSnapshot } from '../support/snapshot-writer.ts';
import { build, publishParts, temporaryFolder } from './fixture-series.ts';
import { readSite } from './site-tree.ts';

/** A series of publications with small differences, and a site of the first six. */
const folder = temporaryFolder();
const at = (...names: string[]) => join(folder.path, ...names);
const snapshots = thinned(randomWorld({ seed: 8, products: 12, stores: 6, publications: 10 }));
const publish = (index: number) => publishParts(at('db.sqlite'), snapshots[index] as WorldSnapshot);

const buildNext = () => build(at('db.sqlite'), at('site'));
const verified = () => verifySite(at('site'));
const spares = () => readdirSync(at('site', 'spare')).map((table) => spareFolder({ sha256: table }));
const readInode = (folder: string) => statSync(at('site', folder)).ino;

beforeAll(async () => {
  for (let index = 0; index < 6; index += 1) {
    await publish(index);
    await buildNext();
  }
});
afterAll(folder.remove);

test('the checkout of an expired publication is reused for the next one, and kept ones stay', async () => {
  const before = readSite(at('site'));
  const spare = spareFolder(before.pointer.routes);
  expect(spares()).toEqual([spare]);
  const counts = (await verified()).counts;
  expect(counts).toMatchObject({ faults: 0, unnamed_checkouts: 0, unnamed_objects: 0 });
  const inode = readInode(spare);

  // A build that changes nothing leaves it alone.
  await buildNext();
  expect(readInode(spare)).toBe(inode);

  await publish(6);
  await buildNext();
  const { pointer } = readSite(at('site'));
  expect(pointer.sequence).toBe(7);
  expect(readInode(checkoutFolder(pointer.revision))).toBe(inode);
  expect(spares()).toEqual([spareFolder(pointer.routes)]);
  expect((await verified()).faults).toEqual([]);
  const kept = pointer.publications.filter(({ routes }) => routes !== null).map(({ revision }) => revision);
  expect(readdirSync(at('site', 'checkouts')).sort()).toEqual(kept.sort());
});

test('changed files are not in the spare checkout', async () => {
  const { routes } = readSite(at('site')).pointer;
  const absent = JSON.parse(readFileSync(at('site', absentList(routes)), 'utf8')) as string[];
  expect(absent).toContain('/v1/metadata');
  for (const path of absent) expect(existsSync(at('site', spareFolder(routes), `${path}.json`))).toBe(false);
  const [list, text] = [absentList(routes), JSON.stringify(absent)];
  for (const [damaged, code] of [
    ['{', 'checkout_content'],
    [JSON.stringify(absent.slice(1)), 'checkout_missing'],
    [JSON.stringify([...absent, '/v1/openapi.json']), 'checkout_stray'],
  ] as const) {
    writeFileSync(at('site', list), damaged);
    const [fault] = (await verified()).faults;
    expect(fault).toMatchObject({ code });
  }
  writeFileSync(at('site', list), text);
  expect((await verified()).faults).toEqual([]);
});

test('a file that is missing in the spare checkout is a fault, and build --full works without it', async () => {
  const spare = spareFolder(readSite(at('site')).pointer.routes);
  rmSync(at('site', spare, 'v1/openapi.json'));
  expect((await verified()).faults).toMatchObject([{ path: `${spare}/v1/openapi.json` }]);
  rmSync(at('site', spare), { recursive: true });
  expect((await verified()).counts).toMatchObject({ faults: 0, unnamed_checkouts: 1 });
  rmSync(at('site', dirname(spare)), { recursive: true });
  await buildNext();
  expect((await verified()).faults).toEqual([]);
});

test('the next build removes a spare checkout that a killed build left, and does not use one with a damaged list', async () => {
  const clean = { faults: 0, unnamed_checkouts: 0 };
  const leaveMark = () => writeFileSync(at('site', buildUnfinished), unfinishedText);
  for (const name of ['unfinished', '0'.repeat(64)]) writeSnapshot(at('site', 'spare', name), snapshots[0] as never);
  leaveMark();
  expect((await verified()).counts).toMatchObject({ faults: 0, unnamed_checkouts: 2 });
  await buildNext();
  expect((await verified()).counts).toMatchObject(clean);
  for (const [index, damage] of ['[5,null]', '{"'].entries()) {
    await publish(7 + index);
    await buildNext();
    writeFileSync(at('site', absentList(readSite(at('site')).pointer.routes)), damage);
  }
  await publish(9);
  await buildNext();
  expect((await verified()).counts).toMatchObject(clean);
  rmSync(at('site', absentList(readSite(at('site')).pointer.routes)));
  leaveMark();
  await buildNext();
  expect((await verified()).counts).toMatchObject(clean);
});
