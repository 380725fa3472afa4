import { expect, test } from 'vitest';
import { readText, sourcesIn } from './repository.ts';

/** Sections that a text cites: `contract.md 3`, `contract.md 3 and 4`, `contract.md 4, 5`. */
function citedSections(text: string): string[] {
  return [...text.matchAll(/contract\.md (\d+(?:(?:, | and )\d+)*)/g)].flatMap(([, list = '']) =>
    list.split(/, | and /),
  );
}

test('every citation of the contract leads to a section of it', () => {
  const sections = new Set([...readText('docs/contract.md').matchAll(/^## (\d+)\. /gm)].map(([, number]) => number));
  const cited = ['generator', 'shim', 'test']
    .flatMap(sourcesIn)
    .flatMap((file) => citedSections(readText(file)).map((section) => ({ file, section })));
  expect(cited.length).toBeGreaterThan(40);
  expect(cited.filter(({ section }) => !sections.has(section))).toEqual([]);
});
