import { isUtf8 } from 'node:buffer';
import { buffer } from 'node:stream/consumers';
import type * as z from 'zod';
import { cut, explainIssues, type ValueFault } from '../../contract/schemas/checked-value.ts';
import { countText } from '../files/failure.ts';
import type { FaultyInput } from '../files/faults.ts';
import { limits } from './limits.ts';
import { aroundInvalidBytes, faultyPart, partFileName, readBytes } from './lines.ts';

type Parsed = { value: unknown; fault: null } | { value: null; fault: ValueFault };

/** Parses JSON of at most `mostValues` values, or says what is wrong with it. */
export function parseWithin(text: string, expected: string, mostValues: number): Parsed {
  const fault = shapeFault(text, mostValues);
  if (fault !== null) return { value: null, fault };
  try {
    return { value: JSON.parse(text), fault: null };
  } catch (error) {
    const said = (error as Error).message.replace(
      / in JSON(?= |$)| is not valid JSON$|JSON (?=input$)| \(line \d+ column \d+\)$/g,
      '',
    );
    return {
      value: null,
      fault: { field: null, expected, got: cut(`${said.charAt(0).toLowerCase()}${said.slice(1)}`) },
    };
  }
}

/** Reads and checks a file that is one JSON document. Throws a FaultyInput with every fault. */
export async function readJsonFile<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  const text = await readText(path);
  const { value, fault } = parseWithin(text, 'a JSON document', limits.documentValues);
  if (fault !== null) throw faulty(path, [fault]);
  const checked = schema.safeParse(value);
  if (!checked.success) throw faulty(path, explainIssues(checked.error.issues, value));
  return checked.data;
}

async function readText(path: string): Promise<string> {
  const bytes = await buffer(readBytes(path));
  const text = bytes.toString('utf8');
  if (!isUtf8(bytes)) throw faulty(path, [{ field: null, expected: 'valid UTF-8', got: aroundInvalidBytes(text) }]);
  return text.replace(/^\uFEFF/, '');
}

function faulty(path: string, faults: readonly ValueFault[]): FaultyInput {
  return faultyPart(path, partFileName(path), faults);
}

const [quote, comma, openArray, backslash, closeArray, openObject, closeObject] = [...'",[\\]{}'].map((character) =>
  character.charCodeAt(0),
);

/**
 * The fault of text that is too costly to parse. A value of two bytes takes a hundred bytes of memory or more, and JSON
 * nested millions deep takes far too long. Counts the characters that open or divide arrays and objects. Null for text
 * within the limits, whether or not it is JSON.
 */
export function shapeFault(text: string, mostValues: number): ValueFault | null {
  let depth = 0;
  let values = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (character === quote) index = endOfString(text, index);
    else if (character === comma) values += 1;
    else if (character === openArray || character === openObject) {
      values += 1;
      depth += 1;
      if (depth > limits.depth)
        return { field: null, expected: `JSON nested at most ${limits.depth} deep`, got: 'deeper' };
    } else if (character === closeArray || character === closeObject) depth -= 1;
  }
  if (values <= mostValues) return null;
  return { field: null, expected: `at most ${countText(mostValues)} values`, got: countText(values) };
}

/** The index of the last character of the string that begins at `start`, or the length of unfinished text. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (character === quote) return index;
    if (character === backslash) index += 1;
  }
  return text.length;
}
