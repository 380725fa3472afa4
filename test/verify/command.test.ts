import { expect, test } from 'vitest';
import { FaultList, shownApart } from '../../generator/site/fault.ts';
import { outcomeInProcess } from '../support/command-in-process.ts';
import { EditedSite } from './edited-site.ts';
import { useExampleSite } from './example-site.ts';

const example = useExampleSite(2);

const run = (...args: string[]) => outcomeInProcess('verify', ...args);

test('a sound site is summed up in one line', async () => {
  const { text, failure } = await run(example.folder);
  expect(failure).toBeNull();
  expect(text.replace(example.folder, 'dist')).toMatch(
    /^verified dist: \d+ routes, \d+ objects, [\d.]+ (?:bytes|[kM]B); \d+ lists walked, \d+ rows, \d+ export records; 0 unnamed objects, 0 unnamed checkouts; [\d.]+ s\n$/,
  );
});

test('a faulty one has a line for each fault, and fails', async () => {
  const site = new EditedSite(example.folder);
  site.remove('site');
  site.remove(site.checkoutOf('/v1/brands'));
  const { text, failure } = await run(site.folder);
  expect(failure).toBe(`${site.folder} is faulty: 2 faults`);
  expect(text.split('\n')).toEqual([
    `${site.checkoutOf('/v1/brands')}: expected the file of /v1/brands, got no such file [checkout_missing]`,
    `site: expected a symbolic link to checkouts/${site.pointer.revision}, got no such file [site_link]`,
    '',
  ]);
});

test('--json prints one object', async () => {
  const sound = JSON.parse((await run(example.folder, '--json')).text);
  expect(sound).toMatchObject({ ok: true, counts: { faults: 0, seconds: expect.any(Number) }, faults: [] });
  const site = new EditedSite(example.folder);
  site.remove('site');
  const { text, failure } = await run(site.folder, '--json');
  expect(failure).toBe(`${site.folder} is faulty: 1 fault`);
  expect(JSON.parse(text)).toMatchObject({
    ok: false,
    counts: { faults: 1 },
    faults: [{ code: 'site_link', path: 'site' }],
  });
});

test('the first by path and code are kept, and all are counted', () => {
  const faults = new FaultList();
  for (let i = 9999; i >= 0; i -= 1) faults.add('object_missing', String(i).padStart(4, '0'), 'a', 'b');
  faults.add('object_damaged', '0001', 'a', 'b');
  expect(faults.total).toBe(10_001);
  const first = faults.first().map(({ code, path }) => `${path} ${code}`);
  expect(first.slice(0, 3)).toEqual(['0000 object_missing', '0001 object_damaged', '0001 object_missing']);
  expect(first).toHaveLength(1000);
});

test('two values that begin alike are printed from shortly before their difference', () => {
  const value = (last: string) => ({ name: 'x'.repeat(100), last, next: 'y'.repeat(100) });
  expect(shownApart({ a: 1 }, { a: 2 })).toEqual(['{"a":1}', '{"a":2}']);
  expect(shownApart(undefined, 'x'.repeat(200))).toEqual(['nothing', `"${'x'.repeat(79)}…`]);
  const [expected, got] = shownApart(value('one'), value('two'));
  expect([expected, got]).toEqual([
    expect.stringMatching(/^…x{30}","last":"one","next":"y+…$/),
    expect.stringMatching(/^…x{30}","last":"two","next":"y+…$/),
  ]);
});
