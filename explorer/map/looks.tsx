import type { JSX } from 'preact';
import type { PairState, PurchaseEligibility } from '../../contract/schemas/primitives.ts';

/** How a store is drawn: by what is known about a product in it, or as a plain store. */
export type Look = 'reported' | 'limited' | 'zero' | 'absent' | 'unchecked' | 'store' | 'here';

/** What each look means, in drawing order: the last ones are on top. */
export const lookMeanings: Readonly<Record<Look, string>> = {
  unchecked: 'not checked',
  absent: 'not in the report',
  zero: 'reported zero',
  store: 'store',
  limited: 'reported, not sold to everyone',
  reported: 'reported',
  here: 'this store',
};

export const lookOrder = Object.keys(lookMeanings) as Look[];

const stateLooks = {
  reported_positive: 'reported',
  reported_zero: 'zero',
  row_absent: 'absent',
  unchecked: 'unchecked',
} as const satisfies Readonly<Record<PairState, Look>>;

/** The look of a row of `/v1/products/{product_id}/availability`. */
export function pairLook({
  state,
  purchase_eligibility: eligibility,
}: {
  readonly state: PairState;
  readonly purchase_eligibility: PurchaseEligibility | null;
}) {
  return eligibility === null || eligibility === 'eligible' ? stateLooks[state] : 'limited';
}

/** The mark of a look, centred on 0, 0. Marks differ in shape, so that they can be told apart without colours. */
export function Mark({ look }: { readonly look: Look }) {
  const name = `mark ${look}`;
  if (look === 'zero') return <rect class={name} x="-5" y="-5" width="10" height="10" />;
  if (look === 'absent') return <path class={name} d="M-4.5-4.5 4.5 4.5M-4.5 4.5 4.5-4.5" />;
  if (look === 'unchecked') return <path class={name} d="M0-6.5 6.5 0 0 6.5-6.5 0Z" />;
  if (look === 'here') return <path class={name} d="M0-10 3-4 9.5-3 5 1.5 6 8 0 5-6 8-5 1.5-9.5-3-3-4Z" />;
  return <circle class={name} r={look === 'store' ? 5 : 6.5} />;
}

/**
 * The mark of the best store next to the number of stores, so that its shape means the same as where it stands alone.
 */
export function ClusterMark({ look, count }: { readonly look: Look; readonly count: number }): JSX.Element {
  const width = markWidth(count) - 2;
  return (
    <>
      <rect class="hit pill" x={-width / 2} y="-11" width={width} height="22" rx="11" />
      <g transform={`translate(${11 - width / 2} 0) scale(0.9)`}>
        <Mark look={look} />
      </g>
      <text x={20 - width / 2} dy="0.35em">
        {count}
      </text>
    </>
  );
}

export function OriginMark() {
  return <path class="mark origin" d="M-8 0A8 8 0 0 0 8 0A8 8 0 0 0-8 0M-12 0H12M0-12V12" />;
}

/** Explains the marks that are on the map. `cluster`: an example of a cluster, if there are any. */
export function MapLegend({
  looks,
  hasOrigin,
  cluster,
}: {
  readonly looks: readonly Look[];
  readonly hasOrigin: boolean;
  readonly cluster: JSX.Element | null;
}) {
  return (
    <ul class="map-legend">
      {looks.map((look) => (
        <Meaning key={look} mark={<Mark look={look} />} text={lookMeanings[look]} />
      ))}
      {cluster && (
        <Meaning
          mark={cluster}
          width={40}
          text={looks.length > 1 ? 'several stores, marked like the best of them' : 'several stores'}
        />
      )}
      {hasOrigin && <Meaning mark={<OriginMark />} text="the chosen place" />}
    </ul>
  );
}

function Meaning({
  mark,
  text,
  width = 24,
}: {
  readonly mark: JSX.Element;
  readonly text: string;
  readonly width?: number;
}) {
  return (
    <li>
      <svg viewBox={`${-width / 2} -12 ${width} 24`} width={(width * 11) / 12} height="22" aria-hidden="true">
        {mark}
      </svg>
      {text}
    </li>
  );
}

/** In pixels: the height of a mark, its width without a count, its width with a count, and the width of each digit. */
export const markHeight = 24;
const [singleWidth, countedWidth, digitWidth] = [24, 30, 8];

/** The width of a mark for `count` stores, in pixels. */
export function markWidth(count: number): number {
  return count === 1 ? singleWidth : countedWidth + digitWidth * String(count).length;
}
