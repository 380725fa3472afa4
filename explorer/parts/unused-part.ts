/** A parameter in a view's address whose `value` cannot be used, and what was expected. */
export type UnusedPart = { readonly name: string; readonly value: string; readonly expected: string };

/** The unknown values of a list in an address. Empty ones, as in `a,,b`, are ignored. */
export function unusedCodes(name: string, list: string, known: readonly string[], expected: string): UnusedPart[] {
  const unknown = list.split(',').filter((code) => code !== '' && !known.includes(code));
  return unknown.length === 0 ? [] : [{ name, value: unknown.join(', '), expected }];
}
