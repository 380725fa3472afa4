/** The codes of a parameter such as `D,X`, each once. A comma or percent sign within a code is escaped. */
export function codesIn(parameter: string): string[] {
  const codes = parameter.split(',').filter(Boolean);
  return [...new Set(codes.map((code) => code.replace(/%2C|%25/g, decodeURIComponent)))];
}

/** The inverse of {@link codesIn}. */
export function codeParameter(codes: readonly string[]): string {
  return codes.map((code) => code.replace(/[%,]/g, encodeURIComponent)).join();
}
