import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** A filter that is set: its label, the text of its value, and what takes it off. */
export type FilterInUse = { readonly label: string; readonly text: string; readonly clear: () => void };

/**
 * Filters in one row. A narrow window shows the first, those that are set as buttons that take them off, and the others at the press of
 * a button. `used`: how many of those are set. `inUse`: all that are set, which paper has as a line.
 */
export function FilterRow({
  first,
  used,
  inUse,
  onClear,
  children,
}: {
  readonly first: ComponentChildren;
  readonly used: number;
  readonly inUse: readonly FilterInUse[];
  /** Null where nothing is set. */
  readonly onClear: (() => void) | null;
  readonly children: ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <search class={isOpen ? 'filters open' : 'filters'}>
        {first}
        <button type="button" class="more" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {used > 0 ? `Filters (${used})` : 'Filters'}
        </button>
        {children}
        <button type="button" disabled={onClear === null} onClick={() => onClear?.()}>
          Clear<span class="visually-hidden"> filters</span>
        </button>
      </search>
      {inUse.length > 0 && (
        <>
          <ul class="chips" aria-label="Filters in use">
            {inUse.map(({ label, text, clear }) => (
              <li key={`${label} ${text}`}>
                <button type="button" onClick={clear} aria-label={`Take off ${text}`}>
                  {text} <span aria-hidden="true">×</span>
                </button>
              </li>
            ))}
          </ul>
          <p class="printed">Filters: {inUse.map(({ label, text }) => `${label}: ${text}`).join(' · ')}</p>
        </>
      )}
    </>
  );
}
