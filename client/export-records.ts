import { ConnectionError, UnexpectedContentError } from './errors.ts';
import type { AskOptions } from './runtime.ts';
import type { SiteReader } from './site-reader.ts';

type Header = { readonly header?: { readonly record_count?: number } };
type Chunks = ReadableStream<Uint8Array<ArrayBuffer>>;

/**
 * The data records of an export or a change piece, while the file arrives. Throws an {@link UnexpectedContentError} at
 * a line that is no JSON, as in a Parquet file, and at the end of a file with fewer records than its header says.
 */
export async function* exportRecords(reader: SiteReader, link: string, options: AskOptions): AsyncGenerator<unknown> {
  const url = reader.addresses.urlOf(link);
  const body = await reader.stream(link, options);
  let expected: number | null = null;
  let count = 0;
  for await (const line of linesOf(url, body as Chunks, options)) {
    const record = recordOf(url, line);
    if (record.record_type === 'header') expected = (record as Header).header?.record_count ?? null;
    else {
      count += 1;
      yield record;
    }
  }
  if (expected !== null && expected !== count) {
    throw new UnexpectedContentError(url, `expected ${expected} records, got ${count}`);
  }
}

function recordOf(url: string, line: string): { readonly record_type: string } {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new UnexpectedContentError(url, 'expected NDJSON, got a line that is no JSON', { cause });
  }
}

async function* linesOf(url: string, body: Chunks, { signal }: AskOptions): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let isOver = false;
  const reader = (await unpacked(body)).getReader();
  const read = () =>
    reader.read().catch((cause: Error) => {
      isOver = true;
      signal?.throwIfAborted();
      throw new ConnectionError(url, `the file broke off: ${cause.message}`, { cause });
    });
  try {
    while (!isOver) {
      const { done, value } = await read();
      isOver = done;
      rest += value ? decoder.decode(value, { stream: true }) : decoder.decode();
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } finally {
    // What nobody reads any more need not arrive.
    if (!isOver) await reader.cancel();
  }
  if (rest !== '') throw new UnexpectedContentError(url, 'expected a last line with its end');
}

/** The bytes of the file that was compressed. The runtime has unpacked them where the host said that they are packed. */
async function unpacked(body: Chunks): Promise<Chunks> {
  const [looked, whole] = body.tee();
  const reader = looked.getReader();
  const { value } = await reader.read();
  reader.cancel();
  const isPacked = value?.[0] === 0x1f && value[1] === 0x8b;
  return isPacked ? whole.pipeThrough(new DecompressionStream('gzip')) : whole;
}
