import fc from 'fast-check';
import { expect, test } from 'vitest';
import { categoryId, nameCode } from '../../generator/import/values/name-ids.ts';

const idOf = (name: string) => {
  const converted = categoryId(name);
  return 'value' in converted ? converted.value : null;
};

test('a category has the letters of its name, and a mark where the alphabet has not all of them', () => {
  // These ids are in publications. Another one would be another category.
  const ids = {
    'Rosé & Co.': 'cat_rose_co',
    'CRÈME DE CACAO': 'cat_creme_de_cacao',
    'Große Weine': 'cat_grosse_weine',
    'Wine / Red (2)': 'cat_wine_red_2',
    Søt: 'cat_sot_e42784',
    SØT: 'cat_sot_e42784',
    Sot: 'cat_sot',
    Rødvin: 'cat_rodvin_7652c0',
    'Łódź 1': 'cat_lodz_1_f7e649',
    'Вино 1': 'cat_vino_1_19f8c2',
    'Пиво 1': 'cat_pivo_1_c2b79f',
  };
  for (const [name, id] of Object.entries(ids)) expect([name, idOf(name)]).toEqual([name, id]);
  for (const name of ['日本酒', 'יין', 'Κρασί', 'وسكي', 'अल्कोहल', '소주', 'Đặc'])
    expect(idOf(name)).toMatch(/^cat_[a-z0-9]+(_[a-z0-9]+)*_[0-9a-f]{6}$/);
  for (const name of ['', '–', '!?']) expect(idOf(name)).toBeNull();
});

test('names that differ in other letters than those of the alphabet have different ids', () => {
  const word = fc.stringMatching(/^[а-яøæłđα-ω]{1,12}( [0-9]{1,2})?$/);
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(idOf(a) === idOf(b)).toBe(a === b);
      expect(idOf(a)).toMatch(/^cat_[a-z0-9_]{1,124}$/);
    }),
  );
});

test('a store code is transliterated, and two names with one code are a fault', () => {
  const names = new Map<string, string>();
  expect(nameCode('Seyðisfjörður', names)).toEqual({ value: 'SEYDISFJORDUR' });
  expect(nameCode('Магазин 5', names)).toEqual({ value: 'MAGAZIN-5' });
  expect(nameCode('магазин  5', names)).toEqual({ value: 'MAGAZIN-5' });
  expect(nameCode('Magazin 5', names)).toEqual({ expected: expect.stringContaining("not that of 'Магазин 5'") });
});
