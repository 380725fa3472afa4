const minorWords =
  /(?<!\p{L})(?:cents?|centavos?|cent[ií]mos?|centimes?|centesimi|öre|øre|oere|pence|pennies|groszy|grosze|haléřů?|bani|kopek\w*|копе\p{L}*|стотинк\p{L}*|agorot|minor)(?!\p{L})/iu;

/** The word in a column's name for the minor unit; null if there is none. */
export function minorWordIn(column: string): string | null {
  // `retail_priceCents` is read as `retail price Cents`.
  const words = column.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ').replaceAll('_', ' ');
  return minorWords.exec(words)?.[0] ?? null;
}
