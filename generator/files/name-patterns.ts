import micromatch from 'micromatch';

/**
 * Whether a name fits a pattern, or one of several: `*` is any text, also across folders, `?` one character, and
 * `{a,b}` one of several texts. Everything else stands for itself, because file names can contain brackets. Case does
 * not matter.
 */
export function nameFits(patterns: string | readonly string[], name: string): boolean {
  const written = [patterns].flat().map((pattern) => pattern.replace(/[()[\]|+]/g, '[$&]'));
  return micromatch.isMatch(name, written, { bash: true, dot: true, nocase: true, nonegate: true });
}

/** The names that match one of the patterns and none of those that begin with `!`, in the syntax of fast-glob. */
export function matchingNames(names: readonly string[], patterns: readonly string[]): string[] {
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!'));
  const ignore = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  return micromatch(names, wanted, { dot: true, ignore });
}
