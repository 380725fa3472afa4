import type { Warning } from '../../contract/schemas/primitives.ts';
import { type WarningCode, warningKinds } from '../../contract/warnings.ts';
import { countNoun } from './text.ts';

/** The warnings of a document in words, each with its code, behind a summary line; nothing without warnings. */
export function WarningList({ warnings }: { readonly warnings: readonly Warning[] }) {
  const [first] = warnings;
  if (first === undefined) return null;
  return (
    <details class="note warnings">
      <summary>
        {warnings.length === 1
          ? warningText(first.code)
          : `${countNoun(warnings.length, 'warning')}: ${warningText(first.code)} …`}
      </summary>
      <ul aria-label="Warnings">
        {warnings.map(({ code }) => (
          <li key={code}>
            {warningText(code)} <code>{code}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}

function warningText(code: WarningCode): string {
  const { meaning } = warningKinds[code];
  return `${meaning.slice(0, 1).toUpperCase()}${meaning.slice(1)}.`;
}
