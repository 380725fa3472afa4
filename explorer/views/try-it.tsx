import { useEffect, useRef, useState } from 'preact/hooks';
import type { Query } from '../../client/addresses.ts';
import type { Site } from '../../client/open-site.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { curlCommand } from '../parts/view-frame.tsx';
import { useSession } from '../site/session.ts';
import { askHost, type HostAnswer } from './answer.ts';
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
