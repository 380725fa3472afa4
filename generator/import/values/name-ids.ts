import { createHash } from 'node:crypto';
import anyAscii from 'any-ascii';
import { collapsed } from '../tables/table.ts';
import type { Converted } from './conversions.ts';

/*
 * Makes ids and codes from names. They depend on the name alone, not on the rest of a file. A change here, or in the
 * transliteration, gives every category and store of such an agency another identity.
 */

/** The most characters of an id without its prefix and its mark. */
const mostCharacters = 96;

/**
 * A category's id: `Vodka - Domestic` as `cat_vodka_domestic`. Letters that are more than an ASCII letter with a mark
 * are transliterated: `Søt` as `cat_sot_e42784`. Other names may then share these letters, so such an id ends with a
 * mark of the name itself. Case, spaces and punctuation make no difference.
 */
export function categoryId(text: string): Converted {
  const plain = plainCapitals(text);
  if (!hasOtherLetters(plain)) {
    const words = plain.toLowerCase().match(/[a-z0-9]+/g);
    return words === null ? { expected: 'a name with letters' } : { value: `cat_${words.join('_')}` };
  }
  const words =
    anyAscii(text.normalize('NFC'))
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const name = collapsed(text).normalize('NFC').toLowerCase();
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 6);
  return { value: `cat_${[words.join('_').slice(0, mostCharacters), mark].filter(Boolean).join('_')}` };
}

/**
 * A code made from a name: `Seyðisfjörður` as `SEYDISFJORDUR`. `names`: names that codes were made from so far. Two
 * names with one code are a fault, because their rows would be mixed up.
 */
export function nameCode(text: string, names: Map<string, string>): Converted {
  const replaced = [...plainCapitals(text)].map((letter) => plainLetters[letter] ?? letter).join('');
  const plain = hasOtherLetters(replaced) ? anyAscii(text.normalize('NFC')).toUpperCase() : replaced;
  const code = plain.match(/[A-Z0-9]+/g)?.join('-') ?? '';
  if (code === '' || code.length > 32) return { expected: 'a name with letters, whose code has at most 32 characters' };
  const name = collapsed(text);
  const before = names.get(code) ?? name;
  names.set(code, before);
  if (before.toLowerCase() === name.toLowerCase()) return { value: code };
  return {
    expected: `a name whose code is not that of '${before}', ${code}; "lookup" or "replace" can tell them apart`,
  };
}

/** Letters that are more than another letter with a mark. */
const plainLetters: Readonly<Record<string, string>> = { Æ: 'AE', Œ: 'OE', Ø: 'O', Ð: 'D', Đ: 'D', Þ: 'TH', Ł: 'L' };

/** The capital of ß is SS. */
function plainCapitals(text: string): string {
  return text.toUpperCase().normalize('NFD').replace(/\p{M}/gu, '');
}

/** Whether a text has letters or digits besides A to Z and 0 to 9. */
function hasOtherLetters(capitals: string): boolean {
  return /(?![A-Z0-9])[\p{L}\p{N}]/u.test(capitals);
}
