import { useMemo, useRef, useState } from 'preact/hooks';
import { countText } from './text.ts';

export type Option = readonly [value: string, text: string];

/** Longer lists create their options only when the reader opens them: a closed list shows a single value. */
const fewValues = 40;

/** A filter with a list of values. An unknown value, which a link may contain, is shown as it is. */
export function Choice({
  label,
  any,
  options,
  counts = null,
  value,
  onChange,
  isOnlyNarrow = false,
}: {
  readonly label: string;
  /** The text for no filter. */
  readonly any: string;
  readonly options: readonly Option[];
  /** How many rows each value would leave. Values without any are left out. Null: not known. */
  readonly counts?: ArrayLike<number> | null;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Whether it is only shown in a narrow window. */
  readonly isOnlyNarrow?: boolean;
}) {
  const [isEntered, setEntered] = useState(false);
  const isWhole = isEntered || options.length <= fewValues;
  const shown = useSameNumbers(counts);
  // A value that is listed anyway changes nothing in the list.
  const isListed = isWhole && shown?.[options.findIndex(([option]) => option === value)] !== 0;
  const elements = useMemo(
    () =>
      options.flatMap(([option, text], at) => {
        const count = shown?.[at];
        if (option !== value && (!isWhole || count === 0)) return [];
        return [
          <option key={option} value={option}>
            {count === undefined ? text : `${text} (${countText(count)})`}
          </option>,
        ];
      }),
    [options, shown, isWhole, isListed ? null : value],
  );
  // A press opens the list before it moves the focus.
  const enter = () => setEntered(true);
  return (
    <label class={isOnlyNarrow ? 'only-narrow' : undefined}>
      {label}
      <select
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        onPointerDown={enter}
        onFocus={enter}
        onBlur={() => setEntered(false)}
      >
        <option value="">{any}</option>
        {elements}
        {value !== '' && !options.some(([option]) => option === value) && <option value={value}>{value}</option>}
      </select>
    </label>
  );
}

/** The previous array for as long as the numbers are equal, so that nothing is created again. */
function useSameNumbers(numbers: ArrayLike<number> | null): ArrayLike<number> | null {
  const kept = useRef(numbers);
  if (!areSame(kept.current, numbers)) kept.current = numbers;
  return kept.current;
}

function areSame(some: ArrayLike<number> | null, others: ArrayLike<number> | null): boolean {
  if (some === null || others === null || some.length !== others.length) return some === others;
  for (let at = 0; at < some.length; at += 1) if (some[at] !== others[at]) return false;
  return true;
}

/** A few choices as buttons, one of which is pressed. */
export function Switch<Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  readonly label: string;
  readonly options: Readonly<Record<Value, string>>;
  /** The value of the pressed button; null if none applies. */
  readonly value: Value | null;
  readonly onChange: (value: Value) => void;
}) {
  return (
    <fieldset class="switch">
      <legend>{label}</legend>
      {(Object.entries(options) as [Value, string][]).map(([option, text]) => (
        <button key={option} type="button" aria-pressed={option === value} onClick={() => onChange(option)}>
          {text}
        </button>
      ))}
    </fieldset>
  );
}
