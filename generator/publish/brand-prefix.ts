/**
 * A product's name without its brand. Removes the longest of the brand's names that the product's name begins with in
 * whole words. Keeps the name as it is if nothing would be left (contract.md 2).
 */
export function withoutBrand(name: string, brandNames: readonly string[]): string {
  const words = name.split(/\s+/).filter((word) => word !== '');
  const folded = words.map(foldWord);
  const leading = brandNames
    .map((brand) =>
      brand
        .split(/\s+/)
        .map(foldWord)
        .filter((word) => word !== ''),
    )
    .filter((brand) => brand.length > 0 && brand.every((word, index) => folded[index] === word))
    .sort((a, b) => b.length - a.length)[0];
  if (leading === undefined || leading.length === words.length) return name;
  return words.slice(leading.length).join(' ');
}

/** A word in the form in which brands are compared: without case, accents, apostrophes and trailing punctuation. */
function foldWord(word: string): string {
  return word
    .normalize('NFD')
    .replace(/[\p{M}'’‘ʼ`´]/gu, '')
    .toLowerCase()
    .replace(/[,;:.]+$/, '');
}
