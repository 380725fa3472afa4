/** A text in the form that searches compare: without accents and apostrophes, in lower case. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}'’‘ʼ`´]/gu, '')
    .toLowerCase();
}

/** The words of a text, folded, in their order. */
export function wordsOf(text: string): string[] {
  return fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** The distinct words of texts, folded, in the order of their first appearance. */
export function foldedWords(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap(wordsOf))];
}
