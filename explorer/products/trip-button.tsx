import type { Column } from '../parts/table-columns.ts';
import { hrefFor } from '../site/router.ts';
import { hasStores } from '../site/site-profile.ts';
import { addToTrip, mostProducts, takeOffTrip, useOwnTrip } from './own-trip.ts';

type Named = { readonly sku: string; readonly name: string };

const fullText = `A trip holds at most ${mostProducts} products.`;

/** Whether a product is on the reader's trip, whether there is room, and what a press does. */
function useOnTrip(sku: string) {
  const skus = useOwnTrip();
  const isOn = skus.includes(sku);
  return {
    isOn,
    isFull: !isOn && skus.length >= mostProducts,
    toggle: () => (isOn ? takeOffTrip(sku) : addToTrip(sku)),
  };
}

/** A column with buttons that add products to the trip; none if no stores are reported. */
export function tripColumn<Row>(productOf: (row: Row) => Named): readonly Column<Row>[] {
  if (!hasStores()) return [];
  return [
    {
      label: 'Trip',
      value: () => null,
      show: (row) => <TripMark {...productOf(row)} />,
      isButton: true,
      width: 4,
    },
  ];
}

function TripMark({ sku, name }: Named) {
  const { isOn, isFull, toggle } = useOnTrip(sku);
  return (
    <button
      type="button"
      class="trip-mark"
      aria-label={`Add ${name} to the trip`}
      aria-pressed={isOn}
      title={isFull ? fullText : undefined}
      disabled={isFull}
      onClick={toggle}
    >
      {isOn ? '✓' : '+'}
    </button>
  );
}

/** The same button in words, for the view of a product. */
export function TripButton({ sku }: { readonly sku: string }) {
  const { isOn, isFull, toggle } = useOnTrip(sku);
  return (
    <p class="trip-button">
      <button type="button" disabled={isFull} onClick={toggle}>
        {isOn ? 'Remove from trip' : 'Add to trip'}
      </button>{' '}
      {isOn && (
        <>
          On your trip. <a href={hrefFor('compare')}>Plan the trip</a>
        </>
      )}
      {isFull && fullText}
    </p>
  );
}
