import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { searchKind } from '../../../generator/contract/documents/search.ts';
import { foldedWords, wordsOf } from '../../../generator/contract/folding.ts';
import { type Entry, entryOf, searchIn } from './searchable-site.ts';

/** Few words, some of which begin others, so that queries match them in every way. */
const vocabulary = ['gin', 'ginger', 'Gïn’s', 'old', 'olde', 'o', 'rye', 'RYE', '6', '60', 'château', 'd’Ombre', '&'];
const phrase = fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));

const entries = fc.array(
  fc
    .record({ kind: fc.constantFrom(...searchKind.options), name: phrase, brand: fc.option(phrase) })
    .map(({ kind, name, brand }) => entryOf(kind, name, kind === 'store' ? null : brand)),
  { maxLength: 30 },
);

const query = fc.oneof(
  phrase,
  phrase.map((text) => text.slice(0, -1)).filter((text) => text !== ''),
);

/** A plain definition of a match: every word, the last one as the beginning of a word. */
function isFound({ terms }: Entry, words: readonly string[]): boolean {
  const own = terms.split(' ');
  const last = words.at(-1);
  if (last === undefined) return false;
  return words.slice(0, -1).every((word) => own.includes(word)) && own.some((word) => word.startsWith(last));
}

function hasAllWhole({ terms }: Entry, words: readonly string[]): boolean {
  return words.every((word) => terms.split(' ').includes(word));
}

describe('contract 3, for all names and queries', () => {
  test('what is found is what has the words, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(entries, query, async (all, q) => {
        const words = wordsOf(q);
        const expected = all.filter((entry) => isFound(entry, words)).map(({ hit }) => hit.id);
        const { data, meta } = await searchIn(all, q);
        expect(data.map(({ id }) => id).sort()).toEqual(expected.sort());
        expect(meta.total).toBe(expected.length);
      }),
      { numRuns: 400 },
    );
  });

  test('asking for some kinds is asking for all and leaving the others out', async () => {
    await fc.assert(
      fc.asyncProperty(entries, query, fc.subarray([...searchKind.options]), async (all, q, kinds) => {
        const { data } = await searchIn(all, q);
        const expected = data.filter(({ kind }) => kinds.includes(kind));
        expect((await searchIn(all, q, kinds)).data).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  test('entries that have every word itself come first, in one order whatever the order of the words', async () => {
    const some = phrase.map((text) => foldedWords([text])).filter((words) => words.length > 0);
    const asked = some.chain((words) => {
      return fc.tuple(fc.constant(words), fc.shuffledSubarray([...words, ...words], { minLength: words.length * 2 }));
    });
    await fc.assert(
      fc.asyncProperty(entries, asked, async (all, [words, shuffled]) => {
        const whole = all.filter((entry) => hasAllWhole(entry, words)).map(({ hit }) => hit.id);
        const first = (await searchIn(all, words.join(' '))).data.slice(0, whole.length);
        const second = (await searchIn(all, shuffled.join(', '))).data.slice(0, whole.length);
        expect(first.map(({ id }) => id).sort()).toEqual(whole.sort());
        expect(second).toEqual(first);
      }),
      { numRuns: 400 },
    );
  });
});
