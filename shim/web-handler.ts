import type { Answer, FileAnswer, ReadRequest } from './answer.ts';
import type { Handler } from './handler.ts';
import type { Fields } from './http/conditional.ts';
import { ByteCache } from './site/byte-cache.ts';
import type { CurrentPublication } from './site/current-publication.ts';

/** The parts of a `Request` that the service uses. The rate limit counts by `client`. */
type WebRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Fields;
  readonly client: string;
};

/** The `Response` with the request and the answer it was made from, which the log needs. */
export type WebExchange = { readonly request: ReadRequest; readonly answer: Answer; readonly response: Response };

/** Above this size an object is streamed where the host can, so that requests do not hold it in memory. */
const bufferedSize = 2 * 1024 * 1024;

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * The service as a function of the Web's own types, for hosts that hand over a `Request`. Their runtime has already
 * parsed the URL and resolved its dot segments. `keptBytes`: how many bytes of verified objects are kept in memory. The
 * function never rejects.
 */
export function webHandler(
  handler: Handler,
  { objects }: CurrentPublication,
  keptBytes: number,
): (request: WebRequest) => Promise<WebExchange> {
  const kept = new ByteCache<Bytes>(keptBytes);

  /** Rejects with an UnreadableError, before anything of the answer is sent. */
  async function fileBody({ object, range }: FileAnswer): Promise<Bytes | ReadableStream<Uint8Array>> {
    const stream = object.size > bufferedSize ? await objects.stream(object, range) : null;
    if (stream) return stream;
    const bytes = kept.get(object.sha256) ?? ((await objects.bytes('object', object)) as Bytes);
    kept.set(object.sha256, bytes, bytes.length);
    return range ? bytes.subarray(range.start, range.end + 1) : bytes;
  }

  return async ({ method, url, headers, client }) => {
    const { pathname, search } = new URL(url);
    const request: ReadRequest = { id: crypto.randomUUID(), method, target: pathname + search, headers, client };
    let answer = await handler.answer(request);
    let body: Bytes | ReadableStream<Uint8Array> | null = null;
    while (answer.kind === 'file' && method !== 'HEAD') {
      try {
        body = await fileBody(answer);
        break;
      } catch (error) {
        answer = await handler.answerAfter(request, answer, error);
      }
    }
    // Without `encodeBody` Workers would compress a body that is already compressed. Other runtimes ignore the member.
    const head = { status: answer.status, headers: answer.headers, encodeBody: 'manual' };
    const response = new Response(method === 'HEAD' ? null : (body ?? bodyOf(answer)), head);
    return { request, answer, response };
  };
}

function bodyOf(answer: Answer): string | Bytes | null {
  if (answer.kind === 'problem') return answer.body;
  return answer.kind === 'json' ? (answer.body as Bytes) : null;
}
