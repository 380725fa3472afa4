import { useMemo, useRef, useState } from 'preact/hooks';
import { countText } from '../text/text.ts';

export type Option = readonly [value: string, text: string];

/** More values than this are made when the reader comes to the list: one that is not open shows a single value. */
const fewValues = 40;

/** A filter with a list of values. A value that is not among them, which a link may have, is shown as it is. */
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
  /** What the list says for no filter. */
  readonly any: string;
  readonly options: readonly Option[];
  /** How many each value would show. Those of none are left out. Null: it is not known. */
  readonly counts?: ArrayLike<number> | null;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Whether only a narrow window shows it. */
  readonly isOnlyNarrow?: boolean;
}) {
  const [isEntered, setEntered] = useState(false);
  const isWhole = isEntered || options.length <= fewValues;
  const shown = useSameNumbers(counts);
  // A value that the whole list has anyway changes nothing in it.
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

/** The numbers that were given before, for as long as they are the same: then nothing is made again. */
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
