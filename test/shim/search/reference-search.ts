import type { SearchHit } from '../../../contract/schemas/search.ts';
import { foldedWords, wordsOf } from '../../../contract/text.ts';
import type { SearchKind } from '../../../contract/vocabulary.ts';
import type { Entry } from './searchable-site.ts';

const ranks = { code: 4, name: 3, productName: 2, wholeWords: 1, prefix: 0 } as const;

/** A plain implementation of search, to compare the service with: it ranks every entry by its words, and sorts all. */
export class ReferenceSearch {
  readonly #entries: readonly Entry[];

  constructor(entries: readonly Entry[]) {
    this.#entries = entries;
  }

  search(q: string, kinds: readonly SearchKind[] | null, limit: number): { data: SearchHit[]; total: number } {
    const written = wordsOf(q);
    const last = written.at(-1);
    if (last === undefined) return { data: [], total: 0 };
    const others = [...new Set(written.slice(0, -1))];
    const isPrefix = !others.includes(last);
    const words = new Set(written);
    const ranked = this.#entries
      .map((entry, id) => ({ ...entry, id, has: new Set(entry.terms.split(' ')) }))
      .filter(({ hit, has }) => (kinds?.includes(hit.kind) ?? true) && others.every((word) => has.has(word)))
      .filter(({ has }) => has.has(last) || (isPrefix && [...has].some((word) => word.startsWith(last))))
      .map((entry) => ({
        ...entry,
        rank: rankFor(
          entry.hit,
          words,
          [...words].every((word) => entry.has.has(word)),
        ),
      }))
      .sort(
        (a, b) =>
          b.rank - a.rank ||
          foldedWords(fullName(a.hit)).length - foldedWords(fullName(b.hit)).length ||
          (b.reported_positive_store_count ?? -1) - (a.reported_positive_store_count ?? -1) ||
          a.id - b.id,
      );
    return { data: ranked.slice(0, limit).map(({ hit }) => hit), total: ranked.length };
  }
}

function fullName({ brand, name }: SearchHit): string[] {
  return brand === null ? [name] : [brand, name];
}

function rankFor(hit: SearchHit, words: ReadonlySet<string>, isWhole: boolean): number {
  const asked = [...words].sort().join(' ');
  const isName = (texts: readonly string[]) => foldedWords(texts).sort().join(' ') === asked;
  if (!isWhole) return ranks.prefix;
  if (hit.kind !== 'product') return isName([hit.name]) || isName(fullName(hit)) ? ranks.name : ranks.wholeWords;
  if (words.has(hit.agency_sku)) return ranks.code;
  return isName(fullName(hit)) ? ranks.productName : ranks.wholeWords;
}
