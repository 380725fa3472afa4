import { useEffect, useRef, useState } from 'preact/hooks';
import { majorAmount } from '../site/site-profile.ts';
import type { Drawing } from './chart-drawing.ts';
import { DataTable } from './data-table.tsx';
import { LaterDetails } from './later.tsx';
import { type Plot, type PlotLine, toInstant, valueText } from './plot.ts';
import type { Column } from './table-columns.ts';

/**
 * A chart with a summary in words and a table of the same data, for readers who cannot see it or point at it. It loads
 * the code that draws. `file` names the CSV file of the table. Lines with letters have their legend elsewhere.
 */
export function Chart({
  title,
  summary,
  plot,
  positionLabel,
  file,
  hasTable = true,
}: {
  readonly title: string;
  readonly summary: string;
  readonly plot: Plot;
  /** What the positions are, such as `Checked`. */
  readonly positionLabel: string;
  readonly file: string;
  /** Whether the table is below the chart, and not elsewhere. */
  readonly hasTable?: boolean;
}) {
  const element = useRef<HTMLDivElement>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  useEffect(() => (element.current ? keepDrawn(element.current, plot, setFailure) : undefined), [plot]);
  return (
    <figure class="chart">
      <figcaption>
        <b>{title}.</b> {summary}
      </figcaption>
      {plot.lines.length > 1 && !plot.lines.some(({ mark }) => mark) && <LineLegend lines={plot.lines} />}
      {failure && <p class="muted">The chart could not be loaded. The table has the same data.</p>}
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing is no fieldset */}
      <div
        class={`chart-place ${plot.isTall ? 'tall' : (plot.aligned ?? '')}`}
        role="group"
        tabIndex={0}
        aria-label={`${title}, chart. ${summary} Use the left and right arrow keys to read the values.`}
        ref={element}
      />
      {hasTable && (
        <LaterDetails summary={`${title} as a table`}>
          <ChartTable title={title} plot={plot} positionLabel={positionLabel} file={file} />
        </LaterDetails>
      )}
    </figure>
  );
}

/** The values of a plot as a table. */
export function ChartTable({
  title,
  plot,
  positionLabel,
  file,
}: {
  readonly title: string;
  readonly plot: Plot;
  readonly positionLabel: string;
  readonly file: string;
}) {
  return (
    <DataTable
      caption={title}
      file={file}
      rows={plot.positions.map((_, index) => index)}
      rowKey={(index) => index}
      columns={tableColumns(plot, positionLabel)}
    />
  );
}

/** The code that draws is loaded when a chart is this far below the window. */
const ahead = '300px';

/** Milliseconds after which the code that draws is loaded anyway, in case the reader prints. */
const idleMs = 8000;

let code: typeof import('./chart-drawing.ts') | null = null;

async function loadCode() {
  code ??= await import('./chart-drawing.ts');
  return code;
}

/**
 * Draws when the chart comes near the window or the reader prints, and again when the width or the colour scheme
 * changes.
 */
function keepDrawn(element: HTMLElement, plot: Plot, fail: (error: Error) => void): () => void {
  let drawing: Drawing | null = null;
  const ends = new AbortController();
  const near = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      near.disconnect();
      load();
    },
    { rootMargin: ahead },
  );
  near.observe(element);
  ends.signal.addEventListener('abort', () => near.disconnect());
  const load = () => loadCode().then(begin, fail);
  const begin = ({ drawPlot }: NonNullable<typeof code>) => {
    if (ends.signal.aborted || drawing !== null) return;
    const draw = () => {
      drawing?.remove();
      drawing = drawPlot(element, plot);
    };
    draw();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw, { signal: ends.signal });
    const observer = new ResizeObserver(() => drawing?.resize());
    observer.observe(element);
    ends.signal.addEventListener('abort', () => observer.disconnect());
  };
  // If this fails, the code is requested again when the chart comes near the window.
  const timer = setTimeout(() => loadCode().catch(() => {}), idleMs);
  ends.signal.addEventListener('abort', () => clearTimeout(timer));
  const print = () => {
    if (code !== null && element.clientWidth > 0) begin(code);
  };
  const press = (event: KeyboardEvent) => {
    if (drawing?.read(event.key)) event.preventDefault();
  };
  element.addEventListener('keydown', press, { signal: ends.signal });
  addEventListener('beforeprint', print, { signal: ends.signal });
  return () => {
    ends.abort();
    drawing?.remove();
  };
}

function LineLegend({ lines }: { readonly lines: Plot['lines'] }) {
  return (
    <ul class="legend">
      {lines.map(({ label, paint }) => (
        <li key={label}>
          <span class="swatch" style={{ background: `var(${paint})` }} /> {label}
        </li>
      ))}
    </ul>
  );
}

function tableColumns({ positions, lines, positionText }: Plot, positionLabel: string): readonly Column<number>[] {
  const positionAt = (index: number) => positions[index] ?? 0;
  return [
    {
      label: positionLabel,
      value: (index) => toInstant(positionAt(index)),
      unit: 'UTC',
      show: (index) => positionText(positionAt(index)),
    },
    ...lines.flatMap((line) => lineColumns(line)),
  ];
}

function lineColumns(line: PlotLine): Column<number>[] {
  const { label, values, isAmount, unit, outOf } = line;
  return [
    {
      ...{ label, isNumber: true as const, ...(isAmount && { isAmount }), ...(unit && { unit }) },
      value: (index: number) => {
        const value = values[index] ?? null;
        return isAmount && value !== null ? majorAmount(value) : value;
      },
      show: (index: number) => valueText(line, index) ?? '–',
    },
    ...(outOf === undefined
      ? []
      : [
          {
            ...{ label: outOf.label, isNumber: true as const, isOnlySaved: true as const },
            value: (index: number) => outOf.values[index] ?? null,
          },
        ]),
  ];
}
