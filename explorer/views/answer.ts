/** The host's answer: its status, the relevant header fields, and its body or the beginning of it. */
export type HostAnswer = {
  readonly status: number;
  readonly statusText: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  readonly isCut: boolean;
};

const fieldNames = [
  'Content-Type',
  'Content-Length',
  'ETag',
  'Last-Modified',
  'Cache-Control',
  'X-Publication-Revision',
  'X-Request-ID',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'Content-Disposition',
];

/** More would be slow to show. */
const mostCharacters = 200_000;

/** Sends a request and reads as much of the body as can be shown. JSON is indented. */
export async function askHost(url: string, signal: AbortSignal): Promise<HostAnswer> {
  const answer = await fetch(url, { signal });
  const { text, isCut } = await readBeginning(answer);
  const isJson = /json/.test(answer.headers.get('Content-Type') ?? '') && !isCut;
  return {
    status: answer.status,
    statusText: answer.statusText,
    fields: fieldNames.flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    }),
    text: isJson ? indented(text) : text,
    isCut,
  };
}

async function readBeginning({ body }: Response): Promise<{ text: string; isCut: boolean }> {
  if (body === null) return { text: '', isCut: false };
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { text, isCut: false };
    text += value;
    if (text.length <= mostCharacters) continue;
    await reader.cancel();
    return { text: text.slice(0, mostCharacters), isCut: true };
  }
}

/** Indented JSON. A file host may send something else with a JSON media type; that stays as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
