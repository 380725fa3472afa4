import { afterAll, beforeAll, expect, test } from 'vitest';
import { FixtureSite } from '../http/fixture-site.ts';
import { needing } from '../support/installed-programs.ts';
import { SmallSites } from '../support/small-sites.ts';
import { page } from './host.ts';
import { hostKinds, measure, printedCells, titles, withTable } from './promise-table.ts';

const small = SmallSites.use(2);
let site: FixtureSite;

beforeAll(async () => {
  site = await FixtureSite.build();
});
afterAll(() => site?.[Symbol.dispose]());

/** By host, then by promise, how the host breaks it. For a host that is not installed, the cells on the page count. */
const measured = new Map(hostKinds.map(({ name }) => [name, printedCells(name)]));

for (const kind of hostKinds) {
  test(`${kind.name} is asked for everything that a host may promise`, needing(...kind.programs), async () => {
    const found = await measure(kind, site, { dist: small.at('dist-2') });
    expect([...found.keys()]).toEqual(titles);
    measured.set(kind.name, found);
  });
}

test('the table in docs/hosting.md says exactly which promises each host keeps', async () => {
  const broken = [...measured].flatMap(([name, found]) =>
    [...found].flatMap(([title, why]) => (why.length > 0 ? [`${name}: ${title}: ${why[0]?.slice(0, 200)}`] : [])),
  );
  // `npm run hosts` writes the table instead of checking it.
  await expect(withTable(measured), broken.join('\n')).toMatchFileSnapshot(page.pathname);
});
