import type { Size } from './map-window.ts';
import { scaleBars } from './scale-bar.ts';

/** Bars for kilometres and miles in the bottom left corner of a map. */
export function ScaleBars({ metresPerPixel, size }: { readonly metresPerPixel: number; readonly size: Size }) {
  const { metric, us } = scaleBars(metresPerPixel, Math.min(140, size.width / 3));
  return (
    <g class="scale" transform={`translate(12 ${size.height - 26})`}>
      <path d={`M0-6V0H${metric.pixels}V-6`} />
      <path d={`M0 6V0H${us.pixels}V6`} />
      <text x="4" y="-4">
        {metric.label}
      </text>
      <text x="4" y="13">
        {us.label}
      </text>
    </g>
  );
}
