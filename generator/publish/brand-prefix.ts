/** A word as brands are compared by: case, accents, apostrophes and trailing punctuation do not count. */
function fold(word: string): string {
  return word
    .normalize('NFD')
    .replace(/[\p{M}'’‘ʼ`´]/gu, '')
    .toLowerCase()
    .replace(/[,;:.]+$/, '');
}

/**
 * A product's name without its brand: the longest of the brand's names that leads it in whole words is removed once,
 * when something is left (contract.md 2).
 */
export function withoutBrand(name: string, brandNames: readonly string[]): string {
  const words = name.split(/\s+/).filter((word) => word !== '');
  const folded = words.map(fold);
  const leading = brandNames
    .map((brand) =>
      brand
        .split(/\s+/)
        .map(fold)
        .filter((word) => word !== ''),
    )
    .filter((brand) => brand.length > 0 && brand.every((word, index) => folded[index] === word))
    .sort((a, b) => b.length - a.length)[0];
  if (leading === undefined || leading.length === words.length) return name;
  return words.slice(leading.length).join(' ');
}
