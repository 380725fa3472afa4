import type { Answer, FileAnswer, ReadRequest } from './answer.ts';
import type { Handler } from './handler.ts';

/**
 * The service as a function of the Web's own types, for hosts that hand over a `Request`: their runtime has read the URL
 * already, and resolved the dot segments in it. `client` is what the rate limit counts by. Never rejects.
 */
export function webHandler(handler: Handler): (request: Request, client: string) => Promise<Response> {
  return async ({ method, url, headers }, client) => {
    const { pathname, search } = new URL(url);
    const question: ReadRequest = { id: crypto.randomUUID(), method, target: pathname + search, headers, client };
    let answer = await handler.answer(question);
    let body = null;
    while (answer.kind === 'file' && method !== 'HEAD') {
      try {
        body = await bytesOf(answer);
        break;
      } catch (error) {
        answer = await handler.answerAfter(question, answer, error);
      }
    }
    return new Response(method === 'HEAD' ? null : (body ?? bodyOf(answer)), {
      status: answer.status,
      headers: answer.headers,
    });
  };
}

async function bytesOf({ view, object, range }: FileAnswer): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = (await view.bytes(object)) as Uint8Array<ArrayBuffer>;
  return range ? bytes.subarray(range.start, range.end + 1) : bytes;
}

function bodyOf(answer: Answer): string | Uint8Array<ArrayBuffer> | null {
  if (answer.kind === 'problem') return answer.body;
  return answer.kind === 'json' ? (answer.body as Uint8Array<ArrayBuffer>) : null;
}
