import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Option } from './choice.tsx';
import { countText } from './text.ts';

/**
 * A filter with several values: a button that looks like a select and opens checkboxes. Values without rows are left
 * out. An unknown value, which a link may contain, is shown as it is.
 */
export function SeveralChoice({
  label,
  options,
  counts,
  values,
  onChange,
}: {
  readonly label: string;
  readonly options: readonly Option[];
  /** How many rows each value would leave; null if not known. */
  readonly counts: ArrayLike<number> | null;
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
}) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const close = ({ target }: Event) => {
      if (!box.current?.contains(target as Node)) setOpen(false);
    };
    const closings = ['pointerdown', 'focusin'] as const;
    for (const type of closings) document.addEventListener(type, close);
    return () => {
      for (const type of closings) document.removeEventListener(type, close);
    };
  }, [isOpen]);
  const unknown = values.filter((value) => !options.some(([option]) => option === value));
  const all: readonly Option[] = [...options, ...unknown.map((value): Option => [value, value])];
  const textOf = (value: string) => all.find(([option]) => option === value)?.[1] ?? value;
  const chosen = values.length === 0 ? 'All' : values.map(textOf).join(', ');
  const toggle = (value: string) =>
    onChange(all.map(([option]) => option).filter((option) => values.includes(option) !== (option === value)));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of what is within
    <div
      class="several"
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        setOpen(false);
        button.current?.focus();
      }}
    >
      <span class="several-label" id={`${id}-label`}>
        {label}
      </span>
      <button
        type="button"
        ref={button}
        id={id}
        aria-expanded={isOpen}
        aria-labelledby={`${id}-label ${id}`}
        title={chosen}
        onClick={() => setOpen(!isOpen)}
      >
        {chosen}
      </button>
      {isOpen && (
        <fieldset>
          <legend class="visually-hidden">{label}</legend>
          {all.map(([value, text], at) => {
            const isChosen = values.includes(value);
            const count = counts?.[at];
            if (count === 0 && !isChosen) return null;
            return (
              <label key={value} class="check">
                <input type="checkbox" checked={isChosen} onChange={() => toggle(value)} />
                {count === undefined ? text : `${text} (${countText(count)})`}
              </label>
            );
          })}
        </fieldset>
      )}
    </div>
  );
}
