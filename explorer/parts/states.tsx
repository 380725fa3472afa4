import type { ComponentChildren, JSX } from 'preact';
import { ProblemError } from '../../client/open-site.ts';
import { type FailureKind, failureKind, readAgain } from '../site/failures.ts';
import { hrefFor } from '../site/router.ts';
import type { Loaded } from '../site/session.ts';

/** Placeholder lines while something loads, which screen readers hear by name. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <div class="loading" role="status">
      <span class="visually-hidden">Loading {what}…</span>
    </div>
  );
}

const texts: Readonly<Record<FailureKind, string>> = {
  unreachable: 'The site cannot be reached. Check your connection.',
  busy: 'The site cannot answer right now.',
  missing: 'There is nothing at this address.',
  refused: 'The site does not accept this request.',
  changed: 'A newer publication is available. Reload to see it.',
  other: 'This could not be shown.',
};

/** An error message. */
export function ErrorBox({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="failed" role="alert">
      {children}
    </div>
  );
}

/**
 * An error in plain words, with a button to try again if that may help, and technical details from the service.
 * `missing`: shown instead if nothing is published at the address. With a null `onRetry`, there is another button.
 */
export function Failed({
  error,
  missing,
  onRetry = readAgain,
}: {
  readonly error: Error;
  readonly missing?: ComponentChildren;
  readonly onRetry?: (() => void) | null;
}) {
  const kind = failureKind(error);
  const { problem = null, code = null } = error instanceof ProblemError ? error : {};
  const invalid = problem?.invalid_params ?? [];
  const mayRetry = onRetry !== null && (kind === 'unreachable' || kind === 'busy');
  return (
    <ErrorBox>
      {kind === 'missing' && missing ? missing : <p>{texts[kind]}</p>}
      {invalid.length > 0 && (
        <ul>
          {invalid.map(({ name, reason }) => (
            <li key={name}>
              <code>{name}</code>: {reason}
            </li>
          ))}
        </ul>
      )}
      {mayRetry && (
        <p>
          <button type="button" onClick={() => onRetry()}>
            Try again
          </button>
        </p>
      )}
      <details>
        <summary>Technical details</summary>
        <p>
          <code>{error.message}</code>
        </p>
        {problem && <p>{problem.detail}</p>}
        {code && (
          <p>
            The service calls this <a href={hrefFor('problem', code)}>{code}</a>.
          </p>
        )}
      </details>
    </ErrorBox>
  );
}

/** The loaded value, or what is still loading, or why it failed. `missing`: see {@link Failed}. */
export function WhenLoaded<Value>({
  loaded,
  what,
  missing,
  children,
}: {
  readonly loaded: Loaded<Value>;
  readonly what: string;
  readonly missing?: ComponentChildren;
  readonly children: (value: Value) => JSX.Element | null;
}) {
  if (loaded.state === 'loading') return <Loading what={what} />;
  if (loaded.state === 'failed') return <Failed error={loaded.error} missing={missing} />;
  return children(loaded.value);
}
