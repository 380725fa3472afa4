import { pick, type Random } from '../test/support/random.ts';

const beginnings = [
  'Bar',
  'Cal',
  'Dun',
  'El',
  'Fen',
  'Gar',
  'Hol',
  'Kes',
  'Lor',
  'Mar',
  'Nor',
  'Pel',
  'Tav',
  'Vel',
  'Wren',
];
const middles = ['', '', 'a', 'an', 'ber', 'der', 'e', 'il', 'o', 'ri'];
const endings = [
  'brook',
  'dale',
  'field',
  'gate',
  'hurst',
  'land',
  'mont',
  'more',
  'ridge',
  'stad',
  'ton',
  'vale',
  'wick',
];

function word(random: Random): string {
  return pick(random, beginnings) + pick(random, middles) + pick(random, endings);
}

/** Makes different names of one to three invented words, each with its slug. */
export class NameSource {
  readonly #random: Random;
  readonly #given = new Set<string>();

  constructor(random: Random) {
    this.#random = random;
  }

  next(): { name: string; slug: string } {
    for (let words = 1; ; words += 1) {
      const name = Array.from({ length: Math.min(words, 3) }, () => word(this.#random)).join(' ');
      const slug = name.toLowerCase().replaceAll(' ', '-');
      if (this.#given.has(slug)) continue;
      this.#given.add(slug);
      return { name, slug };
    }
  }
}
