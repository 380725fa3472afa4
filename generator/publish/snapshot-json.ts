import { isUtf8 } from 'node:buffer';
import { basename, dirname } from 'node:path';
import type * as z from 'zod';
import { shapeFault } from './json-shape.ts';
import { cut, type Fault, ProblemList, problemsOf, SnapshotError } from './problem.ts';
import { partFileName, readBytes } from './snapshot-bytes.ts';
import { limits } from './snapshot-limits.ts';
import { aroundInvalidBytes } from './snapshot-lines.ts';

type Parsed = { value: unknown; fault: null } | { value: null; fault: Fault };

/** Text as JSON of so many values, or what keeps it from being that, in the parser's words. */
export function parseJson(text: string, expected: string, mostValues: number): Parsed {
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

/** A file that is one JSON document, checked. Throws a SnapshotError with everything the schema finds wrong. */
export async function readJsonFile<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  const text = await readText(path);
  const { value, fault } = parseJson(text, 'a JSON document', limits.documentValues);
  if (fault !== null) throw faulty(path, [fault]);
  const checked = schema.safeParse(value);
  if (!checked.success) throw faulty(path, problemsOf(checked.error, value));
  return checked.data;
}

async function readText(path: string): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of readBytes(path)) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const text = bytes.toString('utf8');
  if (!isUtf8(bytes)) throw faulty(path, [{ field: null, expected: 'valid UTF-8', got: aroundInvalidBytes(text) }]);
  return text.replace(/^\uFEFF/, '');
}

function faulty(path: string, faults: readonly Fault[]): SnapshotError {
  const problems = new ProblemList();
  for (const fault of faults) problems.add({ file: partFileName(path), line: null, ...fault });
  return new SnapshotError(basename(dirname(path)), problems);
}
