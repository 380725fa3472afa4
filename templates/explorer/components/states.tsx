import type { JSX } from 'preact';
import { ProblemError } from '../../../client/open-site.ts';
import { placeOf } from '../app/router.ts';
import type { Loaded } from '../app/session.ts';

export function Loading({ what }: { readonly what: string }) {
  return (
    <p class="loading" role="status">
      Loading {what}…
    </p>
  );
}

/** An error in words. A problem of the service says which parameters are at fault, and links to what its code means. */
export function Failed({ error }: { readonly error: Error }) {
  const problem = error instanceof ProblemError ? error : null;
  const invalid = problem?.problem?.invalid_params ?? [];
  return (
    <div class="failed" role="alert">
      <p>
        <strong>This could not be shown.</strong>{' '}
        {problem ? (problem.problem?.detail ?? problem.message) : error.message}
      </p>
      {invalid.length > 0 && (
        <ul>
          {invalid.map(({ name, reason }) => (
            <li key={name}>
              <code>{name}</code>: {reason}
            </li>
          ))}
        </ul>
      )}
      {problem?.code && (
        <p>
          The service calls this <a href={placeOf('problem', problem.code)}>{problem.code}</a>.
        </p>
      )}
    </div>
  );
}

/** What is loaded, or a line that says that it is not there yet or why it cannot be shown. */
export function WhenLoaded<Value>({
  loaded,
  what,
  children,
}: {
  readonly loaded: Loaded<Value>;
  readonly what: string;
  readonly children: (value: Value) => JSX.Element | null;
}) {
  if (loaded.state === 'loading') return <Loading what={what} />;
  if (loaded.state === 'failed') return <Failed error={loaded.error} />;
  return children(loaded.value);
}
