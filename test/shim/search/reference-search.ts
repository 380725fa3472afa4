import MiniSearch from 'minisearch';
import type { SearchHit, SearchKind } from '../../../contract/documents/catalog.ts';
import { foldedWords, wordsOf } from '../../../contract/text.ts';
import type { Entry } from './searchable-site.ts';

const ranks = { exactSku: 3, wholeName: 2, wholeWords: 1, prefix: 0 } as const;

/**
 * A plain implementation of search, to compare the service with: minisearch finds and scores all entries, then every
 * entry is ranked and all are sorted. It is slow.
 */
export class ReferenceSearch {
  readonly #entries: readonly Entry[];
  readonly #words: MiniSearch<{ readonly id: number; readonly terms: string }>;

  constructor(entries: readonly Entry[]) {
    this.#entries = entries;
    this.#words = new MiniSearch({
      fields: ['terms'],
      tokenize: (terms) => terms.split(' '),
      processTerm: (word) => word,
    });
    this.#words.addAll(entries.map(({ terms }, id) => ({ id, terms })));
  }

  search(q: string, kinds: readonly SearchKind[] | null, limit: number): { data: SearchHit[]; total: number } {
    const written = wordsOf(q);
    const last = written.at(-1);
    const others = [...new Set(written.slice(0, -1))];
    const isPrefix = last !== undefined && !others.includes(last);
    const words = isPrefix ? [...others, last] : others;
    if (words.length === 0) return { data: [], total: 0 };

    const whole = new Map(this.#find([...words].sort(), false).map(({ id, score }) => [id, score]));
    const found = isPrefix ? this.#find([...others.sort(), last], true) : this.#find([...words].sort(), false);
    const ranked = found
      .map(({ id, score }) => ({ id, hit: this.#hitFor(id), score: whole.get(id) ?? score, isWhole: whole.has(id) }))
      .filter(({ hit }) => kinds === null || kinds.includes(hit.kind))
      .map((match) => ({ ...match, rank: rankFor(match.hit, words, match.isWhole) }))
      .sort((a, b) => b.rank - a.rank || b.score - a.score || a.id - b.id);
    return { data: ranked.slice(0, limit).map(({ hit }) => hit), total: ranked.length };
  }

  #find(words: readonly string[], lastIsPrefix: boolean): { readonly id: number; readonly score: number }[] {
    const prefix = (_word: string, position: number) => lastIsPrefix && position === words.length - 1;
    return this.#words.search(words.join(' '), { combineWith: 'AND', prefix }) as unknown as {
      readonly id: number;
      readonly score: number;
    }[];
  }

  #hitFor(id: number): SearchHit {
    return (this.#entries[id] as Entry).hit;
  }
}

function rankFor(hit: SearchHit, words: readonly string[], isWhole: boolean): number {
  if (hit.kind === 'product' && words.includes(hit.agency_sku)) return ranks.exactSku;
  if (hit.kind !== 'product') {
    const names = [[hit.name], ...(hit.brand === null ? [] : [[hit.brand, hit.name]])];
    const asked = [...words].sort().join(' ');
    if (names.some((texts) => foldedWords(texts).sort().join(' ') === asked)) return ranks.wholeName;
  }
  return isWhole ? ranks.wholeWords : ranks.prefix;
}
