const kroner = ['SEK', 'NOK', 'DKK', 'ISK'];
const dollars = ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD'];

/** Signs and words in lower case, and the codes that they may mean. Codes such as EUR count too. */
const meanings: Readonly<Record<string, readonly string[]>> = {
  $: dollars,
  dollar: dollars,
  dollars: dollars,
  '€': ['EUR'],
  euro: ['EUR'],
  euros: ['EUR'],
  euroa: ['EUR'],
  '£': ['GBP'],
  '¥': ['JPY', 'CNY'],
  '₹': ['INR'],
  '₽': ['RUB'],
  руб: ['RUB'],
  '₴': ['UAH'],
  '₺': ['TRY'],
  '₩': ['KRW'],
  kr: kroner,
  kronor: ['SEK'],
  kroner: ['NOK', 'DKK'],
  krónur: ['ISK'],
  kč: ['CZK'],
  zł: ['PLN'],
  ft: ['HUF'],
  forint: ['HUF'],
  lei: ['RON', 'MDL'],
  лв: ['BGN'],
};

const codes: ReadonlySet<string> = new Set([...Object.values(meanings).flat(), 'CHF', 'ZAR', 'MXN', 'BRL']);

/**
 * The sign or word in a text that names another currency. Null if none does, or if the text also names the expected
 * one. A word such as ALL may be a code, so only codes in this table count.
 */
export function otherCurrencyIn(text: string, currency: string): string | null {
  const found = [...text.matchAll(/\p{Sc}|[\p{L}\p{M}]+/gu)].flatMap(([word]) => {
    const named = codes.has(word) ? [word] : meanings[word.toLowerCase()];
    return named === undefined ? [] : [{ word, isOwn: named.includes(currency) }];
  });
  return found.some(({ isOwn }) => isOwn) ? null : (found[0]?.word ?? null);
}
