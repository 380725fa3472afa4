import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** An active filter: its label, its value as text, and how to clear it. */
export type FilterInUse = { readonly label: string; readonly text: string; readonly clear: () => void };

/**
 * Filters in one row. A narrow window shows the first filter, the active filters as buttons that clear them, and the
 * others behind a button. `used`: how many of those others are active. `inUse`: all active filters, which are printed
 * as a line.
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
  /** Null if no filter is active. */
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
          <ul class="chips" aria-label="Active filters">
            {inUse.map(({ label, text, clear }) => (
              <li key={`${label} ${text}`}>
                <button type="button" onClick={clear} aria-label={`Remove filter ${text}`}>
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
