import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** A filter that is set, by its label and the text of its value. */
export type FilterInUse = readonly [label: string, text: string];

/**
 * Filters in one row. A narrow window shows the first, and the others at the press of a button. `used`: how many of those are set.
 * `inUse`: all that are set, for paper.
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
        <p class="printed">Filters: {inUse.map(([label, text]) => `${label}: ${text}`).join(' · ')}</p>
      )}
    </>
  );
}
