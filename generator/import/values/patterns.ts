import { createContext, Script } from 'node:vm';
import { RE2JS } from 're2js';
import { cut } from '../../../contract/schemas/checked-value.ts';
import { Failure } from '../../files/failure.ts';

/** A recipe's pattern. Every function throws a SlowPattern when it takes too long. */
export type Pattern = {
  test(text: string): boolean;
  /** The first group that took part in the first match, or the match itself. Undefined without a match. */
  first(text: string): string | undefined;
  without(text: string): string;
};

/** How long a pattern may take for one text. Tests lower it. */
export const patternLimit = { ms: 1000 };

/** `expected` is what the fault of the text says. */
export class SlowPattern extends Failure {
  override readonly name = 'SlowPattern';
  readonly expected: string;

  constructor(source: string) {
    const expected = `text that ${cut(source)} handles within a second, as patterns without lookaround and back-references do`;
    super('import_faults', `expected ${expected}`);
    this.expected = expected;
  }
}

/** Runs `use`. Reports text on which a pattern takes too long, and ends the import. */
export function timely<Result>(onSlow: (expected: string) => void, use: () => Result): Result {
  try {
    return use();
  } catch (error) {
    if (error instanceof SlowPattern) onSlow(error.expected);
    throw error;
  }
}

export function isPattern(source: string): boolean {
  return javascriptPattern(source) !== null || linearPattern(source) !== null;
}

/**
 * Compiles a pattern in RE2's syntax, which takes linear time. Most recipes use JavaScript's syntax, which is
 * translated. A pattern that RE2 lacks or reads differently runs in JavaScript under a time limit. Throws an Error for
 * an invalid pattern.
 */
export function compilePattern(source: string): Pattern {
  const javascript = javascriptPattern(source);
  const translated = javascript === null ? source : translatedSource(javascript);
  const linear = translated === null ? null : linearPattern(translated);
  if (linear !== null) return linearMatcher(source, linear);
  if (javascript === null) throw new Error(`${source} was accepted as a pattern, and is none`);
  return limitedMatcher(source, javascript);
}

function javascriptPattern(source: string): RegExp | null {
  try {
    return new RegExp(source, 'u');
  } catch {
    return null;
  }
}

function linearPattern(source: string): RE2JS | null {
  try {
    return RE2JS.compile(source);
  } catch {
    return null;
  }
}

/** The characters that `\s` stands for in JavaScript, and those that `.` stands for there. */
const spaces = '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const anyInLine = '[^\\n\\r\\x{2028}\\x{2029}]';

/** The same pattern in RE2's syntax. Null if it might mean something else there. */
function translatedSource(pattern: RegExp): string | null {
  if (hasNestedGroups(pattern.source)) return null;
  let [isClass, isOther] = [false, false];
  const translated = RE2JS.translateRegExp(pattern).replaceAll(/\\.|[^\\]/gsu, (token) => {
    if (token === '\\s') return isClass ? spaces : `[${spaces}]`;
    if (token === '\\S' && !isClass) return `[^${spaces}]`;
    if (token === '\\S') isOther = true;
    if (token === '.' && !isClass) return anyInLine;
    if (token === '[') isClass = true;
    if (token === ']') isClass = false;
    return token;
  });
  // Two surrogates are one character in JavaScript.
  return isOther || /\\x\{d[89a-f]/i.test(translated) ? null : translated;
}

/**
 * Whether a repeated group contains capturing groups or an empty alternative. JavaScript forgets the captures of
 * earlier rounds, and does not repeat an empty alternative.
 */
function hasNestedGroups(source: string): boolean {
  const bare = source.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]/gsu, 'x');
  const open: boolean[] = [];
  for (const [token, kind, repeat] of bare.matchAll(/\((\?[a-z-]*:|\?<\w+>)?|\)([*+{])?/g)) {
    if (token.startsWith('(')) {
      const keeps = kind === undefined || kind.startsWith('?<');
      if (keeps) open.fill(true);
      open.push(false);
    } else if ((open.pop() ?? false) && repeat !== undefined) return true;
  }
  return /\(\||\|\||\|\)|:\|/.test(bare);
}

function linearMatcher(source: string, pattern: RE2JS): Pattern {
  const groups = Array.from({ length: pattern.groupCount() }, (_, index) => index + 1);
  return {
    test: (text) => pattern.matcher(text).find(),
    first(text) {
      const matcher = pattern.matcher(text);
      if (!matcher.find()) return undefined;
      return [...groups, 0].map((group) => matcher.group(group)).find((found) => found !== null) ?? undefined;
    },
    without(text) {
      const matcher = pattern.matcher(text);
      const began = performance.now();
      const kept: string[] = [];
      let end = 0;
      // Each search is linear, but many of them are not.
      while (matcher.find()) {
        if (performance.now() - began > patternLimit.ms) throw new SlowPattern(source);
        kept.push(text.slice(end, matcher.start()));
        end = matcher.end();
      }
      return kept.join('') + text.slice(end);
    },
  };
}

const search = new Script('result = pattern.exec(text)');
const removal = new Script('result = text.replace(all, "")');

/** Runs a pattern in its own context, because Node can only time out such scripts. */
function limitedMatcher(source: string, pattern: RegExp): Pattern {
  const context = createContext({ pattern, all: new RegExp(pattern, 'gu'), text: '', result: null });
  const run = <Result>(script: Script, text: string): Result => {
    context.text = text;
    try {
      script.runInContext(context, { timeout: patternLimit.ms });
      return context.result;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new SlowPattern(source);
      throw error;
    }
  };
  return {
    test: (text) => run<RegExpExecArray | null>(search, text) !== null,
    first(text) {
      const match = run<RegExpExecArray | null>(search, text);
      return match?.slice(1).find((group) => group !== undefined) ?? match?.[0];
    },
    without: (text) => run<string>(removal, text),
  };
}
