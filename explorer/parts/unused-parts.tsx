import type { UnusedPart } from './unused-part.ts';

/** The most characters of a value to show. A link may have any length. */
const mostCharacters = 200;

/** Lists the parts of its address that a view ignores; nothing if it uses all of it. */
export function UnusedParts({ parts }: { readonly parts: readonly UnusedPart[] }) {
  if (parts.length === 0) return null;
  return (
    <div class="note" role="status">
      <p>Parts of this address are ignored:</p>
      <ul>
        {parts.map(({ name, value, expected }) => (
          <li key={`${name} ${expected}`}>
            <code>{name}</code>: expected {expected}, got {shortenedValue(value)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function shortenedValue(value: string): string {
  return value.length > mostCharacters ? `${value.slice(0, mostCharacters)}…` : value;
}
