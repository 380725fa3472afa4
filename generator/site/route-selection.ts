import micromatch from 'micromatch';
import type { Route } from '../contract/formats/site.ts';
import { checkoutPath } from '../contract/paths.ts';

/** Words for patterns that many ask for. */
const words: Readonly<Record<string, readonly string[]>> = { exports: ['v1/exports.json', 'v1/exports/**'] };

/**
 * What was asked for, as patterns of files in a checkout, sorted. An address stands for its file: `/v1/brands` is
 * `v1/brands.json`. A pattern that begins with `!` leaves files out.
 */
export function selectionPatterns(asked: readonly string[]): string[] {
  const patterns = asked.flatMap((text) => words[text] ?? [text.replace(/^(!?)\/+/, '$1')]);
  return [...new Set(patterns)].sort();
}

/** The routes whose file in the checkout matches one of the patterns, in the syntax of fast-glob. */
export function selectRoutes(routes: Iterable<Route>, patterns: readonly string[]): Route[] {
  const byFile = new Map<string, Route>();
  for (const route of routes) byFile.set(checkoutPath(route.path), route);
  const written = patterns.flatMap((pattern) => [pattern, pattern === 'v1' ? 'v1/index.json' : `${pattern}.json`]);
  const wanted = written.filter((pattern) => !pattern.startsWith('!'));
  const ignore = written.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  const matched = micromatch([...byFile.keys()], wanted, { dot: true, ignore });
  return matched.sort().flatMap((file) => byFile.get(file) ?? []);
}
