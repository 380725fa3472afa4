import type { Fault } from './problem.ts';
import { countText, limits } from './snapshot-limits.ts';

const [quote, comma, openArray, backslash, closeArray, openObject, closeObject] = [...'",[\\]{}'].map((character) =>
  character.charCodeAt(0),
);

/**
 * What keeps a text from being parsed: parsing takes a hundred bytes of memory and more for a value of two, and time
 * out of proportion for what is nested by the million. Counts what begins or divides an array or object; null when
 * the text is within bounds, JSON or not.
 */
export function shapeFault(text: string, mostValues: number): Fault | null {
  let depth = 0;
  let values = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (character === quote) index = endOfString(text, index);
    else if (character === comma) values += 1;
    else if (character === openArray || character === openObject) {
      values += 1;
      depth += 1;
      if (depth > limits.depth) return fault(`JSON nested at most ${limits.depth} deep`, 'deeper');
    } else if (character === closeArray || character === closeObject) depth -= 1;
  }
  return values > mostValues ? fault(`at most ${countText(mostValues)} values`, countText(values)) : null;
}

/** Where the string that begins at a quotation mark ends; the end of the text where it does not. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (character === quote) return index;
    if (character === backslash) index += 1;
  }
  return text.length;
}

function fault(expected: string, got: string): Fault {
  return { field: null, expected, got };
}
