import type { PriceLine } from './price-lines.ts';

/** The style of a line in the chart, with the letter at its end. */
export function LineMark({ line: { mark, paint, dash } }: { readonly line: PriceLine }) {
  return (
    <span class="line-mark">
      <b style={{ color: `var(${paint})` }}>{mark}</b>
      <svg aria-hidden="true" width="40" height="8" viewBox="0 0 40 8">
        <path d="M0 4H40" stroke={`var(${paint})`} stroke-width="2.5" stroke-dasharray={dash.join(' ')} fill="none" />
      </svg>
    </span>
  );
}
