import type { UnusedPart } from './unused-part.ts';

/** So much of a value is shown. A link may be of any length. */
const mostCharacters = 200;

/** Says what of its address a view leaves out; nothing where it uses all of it. */
export function UnusedParts({ parts }: { readonly parts: readonly UnusedPart[] }) {
  if (parts.length === 0) return null;
  return (
    <div class="note" role="status">
      <p>Parts of this address are left out:</p>
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
