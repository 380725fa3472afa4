/** A parameter of a view's address of which `value` cannot be used, and what was expected there. */
export type UnusedPart = { readonly name: string; readonly value: string; readonly expected: string };

/** The values of a list in an address that are none of those known. Empty ones, as in `a,,b`, say nothing. */
export function unusedCodes(name: string, list: string, known: readonly string[], expected: string): UnusedPart[] {
  const unknown = list.split(',').filter((code) => code !== '' && !known.includes(code));
  return unknown.length === 0 ? [] : [{ name, value: unknown.join(', '), expected }];
}
