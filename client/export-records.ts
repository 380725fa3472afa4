import { type Chunks, parseObject, readLines } from './answer-body.ts';
import { ConnectionError, UnexpectedContentError } from './errors.ts';
import type { AskOptions } from './runtime.ts';
import type { SiteReader } from './site-reader.ts';

type Header = { readonly header?: { readonly record_count?: number } };

/**
 * Yields records while the file downloads. Throws an {@link UnexpectedContentError} at a line that is not JSON, as in a
 * Parquet file, and if the file has fewer or more records than its header says.
 */
export async function* exportRecords(reader: SiteReader, link: string, options: AskOptions): AsyncGenerator<unknown> {
  const url = reader.addresses.urlOf(link);
  const body = await reader.stream(link, options);
  if (body === null) throw new UnexpectedContentError(url, 'expected a file, got no body');
  let expected: number | null = null;
  let count = 0;
  let isFirst = true;
  for await (const line of readLines(url, arriving(reader, url, body, options))) {
    const record = parseObject(url, line, 'NDJSON');
    if (isFirst && record.record_type === 'header') expected = (record as Header).header?.record_count ?? null;
    else {
      count += 1;
      if (expected !== null && count > expected) break;
      yield record;
    }
    isFirst = false;
  }
  if (expected !== null && expected !== count)
    throw new UnexpectedContentError(url, `expected ${expected} records, got ${count}`);
}

async function* arriving(
  reader: SiteReader,
  url: string,
  body: Chunks,
  options: AskOptions,
): AsyncGenerator<Uint8Array> {
  try {
    yield* reader.requests.pieces(await unpacked(reader, body, options), options.signal);
  } catch (error) {
    options.signal?.throwIfAborted();
    const cause = error as Error;
    throw new ConnectionError(url, `the file broke off: ${cause.message}`, { cause });
  }
}

/** The runtime has already decompressed the file if the host declared its coding. */
async function unpacked({ requests }: SiteReader, body: Chunks, { signal }: AskOptions): Promise<Chunks> {
  const [looked, whole] = body.tee();
  const first = requests.pieces(looked, signal);
  const { value } = await first.next().catch((error: unknown) => {
    whole.cancel().catch(() => undefined);
    throw error;
  });
  await first.return(undefined);
  const isPacked = value?.[0] === 0x1f && value[1] === 0x8b;
  return isPacked ? whole.pipeThrough(new DecompressionStream('gzip')) : whole;
}
