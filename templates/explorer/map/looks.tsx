/** How a store is drawn: what is known of a product in it, or only that it is a store. */
export type Look = 'reported' | 'zero' | 'absent' | 'unchecked' | 'store';

/** What a look means, in the order in which stores are drawn: the last ones lie on top. */
export const lookMeanings: Readonly<Record<Look, string>> = {
  unchecked: 'not checked',
  absent: 'not in any row',
  zero: 'reported zero',
  store: 'store',
  reported: 'reported',
};

/** The look of a state of `/v1/products/{product_id}/availability`. */
export const lookOfState = {
  reported_positive: 'reported',
  reported_zero: 'zero',
  row_absent: 'absent',
  unchecked: 'unchecked',
} as const satisfies Readonly<Record<string, Look>>;

/** The mark of a look around 0, 0. Marks differ in shape, so that they can be told apart without colours. */
export function Mark({ look }: { readonly look: Look }) {
  const name = `mark ${look}`;
  if (look === 'zero') return <rect class={name} x="-5" y="-5" width="10" height="10" />;
  if (look === 'absent') return <path class={name} d="M-4.5-4.5 4.5 4.5M-4.5 4.5 4.5-4.5" />;
  if (look === 'unchecked') return <path class={name} d="M0-6.5 6.5 0 0 6.5-6.5 0Z" />;
  return <circle class={name} r={look === 'reported' ? 6.5 : 5} />;
}

/** What the marks on a map mean. Only those that it shows. */
export function Legend({ looks, others }: { readonly looks: readonly Look[]; readonly others: readonly string[] }) {
  return (
    <ul class="map-legend">
      {looks.map((look) => (
        <li key={look}>
          <svg viewBox="-9 -9 18 18" width="18" height="18" aria-hidden="true">
            <Mark look={look} />
          </svg>
          {lookMeanings[look]}
        </li>
      ))}
      {others.map((other) => (
        <li key={other}>{other}</li>
      ))}
    </ul>
  );
}
