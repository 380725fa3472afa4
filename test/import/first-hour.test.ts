import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { faultsAsFirst } from '../../generator/cli/check.ts';
import { firstDraft } from '../../generator/import/draft/first-draft.ts';
import type { Answer, Question } from '../../generator/import/draft/questions.ts';
import { folderForFile } from '../support/temporary-folder.ts';
import { type InventedAgency, inventedAgencies } from './invented-agencies.ts';
import { importOf } from './small-import.ts';

const folder = folderForFile();

/** The questions that a person who knows the agency is asked, and the recipe that the answers make. */
async function drafted(agency: InventedAgency, isPlain: boolean) {
  const files = agency.files(isPlain);
  const own = join(folder, `${agency.name} ${isPlain}`);
  mkdirSync(own);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(own, name), content);
  const columns = agency.columns(isPlain);
  const asked: string[] = [];
  const ask = async (question: Question): Promise<Answer> => {
    asked.push(question.text);
    const [part = '', , field = '', last = ''] = question.places[0] ?? [];
    if (question.places.length === 0)
      return agency.parts[/have\?$/.test(question.text) ? question.text.slice(10, -6) : ''] ?? 'nothing of these';
    if (question.kind === 'words') return question.words;
    const known: Readonly<Record<string, string>> = {
      column: columns[`${part}.${field}`] ?? 'none of these',
      value: { size_of: 'container', lifecycle: 'active', access_type: 'consumer_state_store' }[field] ?? '',
    };
    const answer = known[last];
    if (answer === undefined || (question.kind === 'choice' && !question.choices.includes(answer)))
      throw new Error(
        `${question.text} (${JSON.stringify(question.places)}): no answer ${answer} of ${question.allowed}`,
      );
    return answer;
  };
  const draft = await firstDraft(
    Object.keys(files).map((name) => ({ path: join(own, name), part: null })),
    agency.stated,
    { ...{ bundled: [], ask, day: '2025-03-01', check: faultsAsFirst }, onProgress: () => {}, onColumns: () => {} },
  );
  return { draft, asked, files };
}

describe.each(inventedAgencies)('init, for $name', (agency) => {
  test.each([
    ['as it is', false],
    ['with columns called c1, c2 and so on', true],
  ])('%s, asks at most five questions and gets no value wrong', async (_, isPlain) => {
    const { draft, asked, files } = await drafted(agency, isPlain);
    expect(draft.faults).toEqual([]);
    expect(draft.left).toEqual([]);
    const { lines, part } = await importOf(draft.recipe, files, Object.keys(files), {
      publishedAt: '2025-03-01T12:00:00Z',
      retrievedAt: '2025-03-01T12:00:00Z',
    });
    expect(lines).toEqual([]);
    expect(wrongIn(part('products.ndjson'), agency)).toEqual([]);
    if (agency.stock === null) expect(draft.recipe.inventory).toBeUndefined();
    else expect(stockIn(part('inventory.ndjson'))).toEqual(agency.stock);
    expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(5);
  });
});

/** The first of the values that are wrong, or that every product needs and lacks. */
function wrongIn(products: readonly Readonly<Record<string, unknown>>[], agency: InventedAgency): string[] {
  const known = new Map(products.map((product) => [product.sku, product]));
  const claimed = new Set(products.flatMap((one) => Object.keys(one).filter((field) => one[field] !== null)));
  const wrong = agency.products.flatMap((truth) => {
    const got = known.get(truth.sku) ?? {};
    const fields = Object.entries({ pack_count: 1, ...truth }).filter(([field]) => claimed.has(field));
    return fields.flatMap(([field, value]) =>
      got[field] === value ? [] : [`${truth.sku} ${field}: expected ${value}, got ${got[field]}`],
    );
  });
  const lacking = ['sku', 'name', 'size_ml', 'price_minor'].filter((field) => !claimed.has(field));
  return [...lacking, ...wrong.slice(0, 5), ...(products.length === agency.products.length ? [] : ['other products'])];
}

function stockIn(lines: readonly Readonly<Record<string, unknown>>[]): ReadonlyMap<string, number> {
  return new Map(
    lines.flatMap(({ sku, rows }) =>
      (rows as [string, number][]).map(([store, quantity]) => [`${sku} at ${store}`, quantity] as const),
    ),
  );
}
