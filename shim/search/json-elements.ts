/** Characters of JSON that are parsed at a time, at least. */
const defaultPieceLength = 16 * 1024;

/**
 * Parses a JSON object piece by piece: yields the elements of its array `name` in order, some at a time, and returns
 * the object with that array empty. Throws a SyntaxError if the text is not JSON or the object has no such array.
 */
export function* jsonElements(
  text: string,
  name: string,
  pieceLength = defaultPieceLength,
): Generator<readonly unknown[], unknown> {
  const opening = arrayStart(text, name);
  let start = opening + 1;
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = stringEnd(text, at);
    else if (character === '{' || character === '[') depth += 1;
    else if (character === ',' && depth === 0 && at - start >= pieceLength) {
      yield JSON.parse(`[${text.slice(start, at)}]`);
      start = at + 1;
      if (/^\s*\]/.test(text.slice(start, start + 16))) throw new SyntaxError('expected an element, got the end');
    } else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth >= 0) continue;
      yield JSON.parse(`[${text.slice(start, at)}]`);
      return JSON.parse(text.slice(0, opening + 1) + text.slice(at));
    }
  }
  throw new SyntaxError(`expected the end of ${name}, got the end of the text`);
}

/** The position of the bracket that opens the object's own array `name`. */
function arrayStart(text: string, name: string): number {
  const member = new RegExp(`^"${name}"\\s*:\\s*\\[`);
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === '"') {
      const found = depth === 1 && member.exec(text.slice(at, at + name.length + 32));
      if (found) return at + found[0].length - 1;
      at = stringEnd(text, at);
    }
  }
  throw new SyntaxError(`expected an array ${name}, got none`);
}

/** The position of the quote that ends the string starting at `start`. */
function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  throw new SyntaxError('expected the end of a string, got the end of the text');
}
