/** A few choices as buttons, one of which is pressed. */
export function Switch<Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  readonly label: string;
  readonly options: Readonly<Record<Value, string>>;
  /** Null if none of them applies. */
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
