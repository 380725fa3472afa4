import { useMemo } from 'preact/hooks';

/** A filter with a list of values. A value that is not among them, which a link may have, is shown as it is. */
export function Choice({
  label,
  any,
  options,
  value,
  onChange,
}: {
  readonly label: string;
  /** What the list says for no filter. */
  readonly any: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const elements = useMemo(
    () =>
      options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      )),
    [options],
  );
  return (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <option value="">{any}</option>
        {elements}
        {value !== '' && !options.some(([option]) => option === value) && <option value={value}>{value}</option>}
      </select>
    </label>
  );
}
