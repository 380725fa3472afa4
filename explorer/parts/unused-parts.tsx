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

/** A parameter in a view's address whose `value` cannot be used, and what was expected. */
export type UnusedPart = { readonly name: string; readonly value: string; readonly expected: string };

/** The unknown values of a list in an address. Empty ones, as in `a,,b`, are ignored. */
export function unusedCodes(name: string, list: string, known: readonly string[], expected: string): UnusedPart[] {
  const unknown = list.split(',').filter((code) => code !== '' && !known.includes(code));
  return unknown.length === 0 ? [] : [{ name, value: unknown.join(', '), expected }];
}
