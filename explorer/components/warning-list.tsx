import type { Warning } from '../../contract/primitives.ts';
import { countOf } from '../text/text.ts';
import { warningTexts } from '../text/warning-texts.ts';

/** The warnings of a document in words, each with its code: one line, which opens; nothing where there are none. */
export function WarningList({ of }: { readonly of: readonly Warning[] }) {
  const [first] = of;
  if (first === undefined) return null;
  return (
    <details class="note warnings">
      <summary>
        {of.length === 1 ? warningTexts[first.code] : `${countOf(of.length, 'warning')}: ${warningTexts[first.code]} …`}
      </summary>
      <ul aria-label="Warnings">
        {of.map(({ code }) => (
          <li key={code}>
            {warningTexts[code]} <code>{code}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
