/** The distinct codes in a parameter such as `D,X`. Commas and percent signs within a code are escaped. */
export function codesIn(parameter: string): string[] {
  const codes = parameter.split(',').filter(Boolean);
  return [...new Set(codes.map((code) => code.replace(/%2C|%25/g, decodeURIComponent)))];
}

/** The inverse of {@link codesIn}. */
export function codeParameter(codes: readonly string[]): string {
  return codes.map((code) => code.replace(/[%,]/g, encodeURIComponent)).join();
}
