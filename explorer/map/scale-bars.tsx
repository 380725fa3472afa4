import type { Size } from './map-window.ts';

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

/** A bar with a round length. */
type ScaleBar = { readonly label: string; readonly pixels: number };

const units = {
  metric: [
    { metres: 1000, name: 'km' },
    { metres: 1, name: 'm' },
  ],
  us: [
    { metres: 1609.344, name: 'mi' },
    { metres: 0.3048, name: 'ft' },
  ],
} as const;

/** The longest round bars, metric and US, of at most `mostPixels` pixels. */
export function scaleBars(metresPerPixel: number, mostPixels: number): { metric: ScaleBar; us: ScaleBar } {
  return { metric: roundBar('metric', metresPerPixel, mostPixels), us: roundBar('us', metresPerPixel, mostPixels) };
}

function roundBar(system: keyof typeof units, metresPerPixel: number, mostPixels: number): ScaleBar {
  const most = metresPerPixel * mostPixels;
  const [large, small] = units[system];
  const unit = most >= large.metres ? large : small;
  const length = roundBelow(most / unit.metres);
  return { label: `${length} ${unit.name}`, pixels: (length * unit.metres) / metresPerPixel };
}

/** The largest 1, 2 or 5 times a power of ten that is not above `most`. */
function roundBelow(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  const digit = [5, 2, 1].find((candidate) => candidate * power <= most) ?? 1;
  // Powers below one are not exact, and a label needs no more digits.
  return Number((digit * power).toPrecision(1));
}
