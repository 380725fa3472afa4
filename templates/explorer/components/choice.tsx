import { useMemo } from 'preact/hooks';
import { afterFirstPicture, useLater } from './later.ts';

/** More values than this are made once the view is there: a list that is not open shows one of them. */
const fewValues = 40;

/** A filter with a list of values. A value that is not among them, which a link may have, is shown as it is. */
export function Choice({
  label,
  any,
  options,
  value,
  onChange,
  isOnlyNarrow = false,
}: {
  readonly label: string;
  /** What the list says for no filter. */
  readonly any: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Whether only a narrow window shows it. */
  readonly isOnlyNarrow?: boolean;
}) {
  const isLater = useLater(afterFirstPicture);
  const isWhole = isLater || options.length <= fewValues;
  const elements = useMemo(
    () =>
      (isWhole ? options : options.filter(([option]) => option === value)).map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      )),
    [options, isWhole, value],
  );
  return (
    <label class={isOnlyNarrow ? 'only-narrow' : undefined}>
      {label}
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <option value="">{any}</option>
        {elements}
        {value !== '' && !options.some(([option]) => option === value) && <option value={value}>{value}</option>}
      </select>
    </label>
  );
}
