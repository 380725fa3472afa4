import type { Warning } from '../../contract/primitives.ts';
import { countNoun } from '../text/text.ts';
import { warningTexts } from '../text/warning-texts.ts';

/** The warnings of a document in words, each with its code, behind a summary line; nothing without warnings. */
export function WarningList({ warnings }: { readonly warnings: readonly Warning[] }) {
  const [first] = warnings;
  if (first === undefined) return null;
  return (
    <details class="note warnings">
      <summary>
        {warnings.length === 1
          ? warningTexts[first.code]
          : `${countNoun(warnings.length, 'warning')}: ${warningTexts[first.code]} …`}
      </summary>
      <ul aria-label="Warnings">
        {warnings.map(({ code }) => (
          <li key={code}>
            {warningTexts[code]} <code>{code}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
