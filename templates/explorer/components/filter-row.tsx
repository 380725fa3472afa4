import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** Filters in one row. A narrow window shows the first, and the others at the press of a button. `used`: how many of those are set. */
export function FilterRow({
  first,
  used,
  onClear,
  children,
}: {
  readonly first: ComponentChildren;
  readonly used: number;
  /** Null where nothing is set. */
  readonly onClear: (() => void) | null;
  readonly children: ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
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
  );
}
