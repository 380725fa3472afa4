import { useEffect, useRef, useState } from 'preact/hooks';
import type { Query } from '../../client/addresses.ts';
import type { Site } from '../../client/open-site.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { curlCommand } from '../parts/view-frame.tsx';
import { useSession } from '../site/session.ts';
import type { Operation } from './operations.ts';

type Values = Readonly<Record<string, string>>;

/** A form for an operation's parameters, and the host's unchanged answer. */
export function TryIt({ operation }: { readonly operation: Operation }) {
  const { site } = useSession();
  const [values, setValues] = useState<Values>({});
  const [shown, setShown] = useState<{ readonly url: string; readonly is: HostAnswer | Error | null } | null>(null);
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);
  const send = async (event: Event) => {
    event.preventDefault();
    controller.current?.abort();
    controller.current = new AbortController();
    const { signal } = controller.current;
    const url = operationUrl(site, operation, values);
    setShown({ url, is: null });
    try {
      setShown({ url, is: await askHost(url, signal) });
    } catch (error) {
      if (!signal.aborted) setShown({ url, is: error as Error });
    }
  };
  const set = (name: string) => (event: Event) =>
    setValues({ ...values, [name]: (event.currentTarget as HTMLInputElement).value });
  return (
    <form onSubmit={send}>
      <div class="controls">
        {operation.parameters.map(({ name, required, choices }) => (
          <label key={name}>
            {required ? `${name} (required)` : name}
            <input
              type="text"
              required={required}
              value={values[name] ?? ''}
              onInput={set(name)}
              list={choices.length > 0 ? `choices-${operation.kind}-${name}` : undefined}
              autocomplete="off"
            />
            {choices.length > 0 && (
              <datalist id={`choices-${operation.kind}-${name}`}>
                {choices.map((choice) => (
                  <option key={choice} value={choice} />
                ))}
              </datalist>
            )}
          </label>
        ))}
        <button type="submit" class="main">
          Send
        </button>
      </div>
      {shown && <ShownAnswer url={shown.url} answer={shown.is} />}
    </form>
  );
}

function ShownAnswer({ url, answer }: { readonly url: string; readonly answer: HostAnswer | Error | null }) {
  return (
    <div class="answer">
      <CodeBlock title="As a shell command" text={curlCommand(url)} />
      {answer === null && <Loading what="the answer" />}
      {answer instanceof Error && <Failed error={answer} onRetry={null} />}
      {answer !== null && !(answer instanceof Error) && (
        <>
          <p role="status">
            <strong>
              {answer.status} {answer.statusText}
            </strong>
          </p>
          <dl class="facts">
            {answer.fields.map(([name, value]) => (
              <div key={name} class="fact">
                <dt>{name}</dt>
                <dd>
                  <code>{value}</code>
                </dd>
              </div>
            ))}
          </dl>
          <CodeBlock title={answer.isCut ? 'Body (only the beginning)' : 'Body'} text={answer.text} />
        </>
      )}
    </div>
  );
}

/** The URL of an operation on this host. Empty fields are left out. */
function operationUrl(site: Site, { kind, parameters }: Operation, values: Values): string {
  const given = (kind: 'path' | 'query') =>
    parameters.flatMap(({ name, in: at }) => (at === kind && values[name] ? [[name, values[name]] as const] : []));
  const addressOf = site.addressOf.bind(site) as (kind: string, parameters: Values, query: Query) => string;
  return addressOf(kind, Object.fromEntries(given('path')), Object.fromEntries(given('query')));
}

/** The host's answer: its status, the relevant header fields, and its body or the beginning of it. */
type HostAnswer = {
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

/** The most characters of a body to show. More would be slow. */
const mostCharacters = 200_000;

/** Sends a request and reads as much of the body as can be shown. JSON is indented. */
async function askHost(url: string, signal: AbortSignal): Promise<HostAnswer> {
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
