import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FixtureSite } from '../http/fixture-site.ts';
import { cell, hostKinds, measure, printedTable } from './promise-table.ts';
import { promises } from './promises.ts';

describe('the table of docs/hosting.md', () => {
  const printed = printedTable();
  let site: FixtureSite;

  beforeAll(async () => {
    site = await FixtureSite.build();
  });
  afterAll(() => site?.[Symbol.dispose]());

  test('has a line for every promise and a column for every host', () => {
    expect([...printed.keys()]).toEqual(promises.map(({ title }) => title));
    expect([...(printed.values().next().value ?? new Map()).keys()]).toEqual(hostKinds.map(({ name }) => name));
  });

  for (const kind of hostKinds) {
    test.skipIf(!kind.isInstalled)(`${kind.name} keeps what it says, and no more`, async () => {
      const found = await measure(kind, site);
      const said = [...printed].map(([title, cells]) => [title, cells.get(kind.name)]);
      const explained = [...found].flatMap(([title, why]) => (why.length > 0 ? [`${title}: ${why}`] : []));
      expect(
        [...found].map(([title, differences]) => [title, cell(differences)]),
        explained.join('\n'),
      ).toEqual(said);
    });
  }
});
