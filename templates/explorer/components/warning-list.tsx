import type { Warning } from '../../../generator/contract/documents/envelope.ts';
import { warningTexts } from './warning-texts.ts';

/** The warnings of a document in words, each with its code; nothing where there are none. */
export function WarningList({ of }: { readonly of: readonly Warning[] }) {
  if (of.length === 0) return null;
  return (
    <ul class="note warnings" aria-label="Warnings">
      {of.map(({ code }) => (
        <li key={code}>
          {warningTexts[code]} <code>{code}</code>
        </li>
      ))}
    </ul>
  );
}
