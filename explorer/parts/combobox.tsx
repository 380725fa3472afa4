import type { ComponentChildren, InputHTMLAttributes, Ref } from 'preact';

/** The matches below a field. `active`: the position of the one that Enter takes; -1 for none. */
export type Matches = { readonly listId: string; readonly count: number; readonly active: number };

/** The list below the field is not a browser's datalist. */
const noOptions = { list: undefined };

/**
 * A field that lists matches below it (ARIA APG, combobox). The arrow keys choose one of them. `least`: the first
 * position that they reach, which is -1 if a reader may return to none.
 */
export function Combobox({
  matches: { listId, count, active },
  least,
  onMove,
  onEscape,
  inputRef = null,
  ...rest
}: {
  readonly matches: Matches;
  readonly least: -1 | 0;
  readonly onMove: (active: number) => void;
  readonly onEscape: () => void;
  readonly inputRef?: Ref<HTMLInputElement>;
} & InputHTMLAttributes<HTMLInputElement>) {
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') onEscape();
    else if (step !== undefined && count > 0) {
      event.preventDefault();
      onMove(Math.max(least, Math.min(count - 1, active + step)));
    }
  };
  return (
    <input
      {...rest}
      type="search"
      autocomplete="off"
      role="combobox"
      {...noOptions}
      ref={inputRef}
      aria-autocomplete="list"
      aria-expanded={count > 0}
      aria-controls={count > 0 ? listId : undefined}
      aria-activedescendant={count > 0 && active >= 0 ? optionId(listId, active) : undefined}
      onKeyDown={press}
    />
  );
}

/** The list of matches. Pressing one must not take the focus from the field. */
export function MatchList(props: {
  readonly id: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div {...props} role="listbox" aria-label="Results" tabIndex={-1} onMouseDown={(event) => event.preventDefault()} />
  );
}

/** A match, which is a link if it has an address. */
export function Match({
  matches: { listId, active },
  at,
  href,
  onChoose,
  children,
}: {
  readonly matches: Matches;
  readonly at: number;
  readonly href?: string;
  readonly onChoose: () => void;
  readonly children: ComponentChildren;
}) {
  const option = { id: optionId(listId, at), 'aria-selected': at === active, onClick: onChoose };
  return href === undefined ? (
    <div {...option} role="option" tabIndex={-1}>
      {children}
    </div>
  ) : (
    <a {...option} role="option" tabIndex={-1} href={href}>
      {children}
    </a>
  );
}

function optionId(listId: string, at: number): string {
  return `${listId}-${at}`;
}
