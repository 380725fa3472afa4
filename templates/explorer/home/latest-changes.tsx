import type { Activity, PriceMove } from '../../../generator/contract/documents/metadata.ts';
import { placeOf } from '../app/router.ts';
import { fullName } from '../components/product-name.ts';
import { countOf, dateText, priceText } from '../components/text.ts';

const shown = 5;

/** Which products changed most, and which prices moved most. */
export function LatestChanges({ activity }: { readonly activity: Activity }) {
  const { most_changed, prices } = activity;
  return (
    <div class="charts">
      <section>
        <h3>Most changes in this publication</h3>
        {most_changed.length === 0 && <p class="muted">Nothing changed.</p>}
        <ol class="ranked">
          {most_changed.slice(0, shown).map(({ product, event_count }) => (
            <li key={product.id}>
              <ProductLink product={product} /> <span>{countOf(event_count, 'change')}</span>
            </li>
          ))}
        </ol>
      </section>
      {prices && (
        <>
          <Moves
            title="Prices that rose most"
            note={`${countOf(prices.rise_count, 'price')} rose in publication ${prices.publication} of ${dateText(prices.published_at)}.`}
            moves={prices.largest_rises}
          />
          <Moves
            title="Prices that fell most"
            note={`${countOf(prices.fall_count, 'price')} fell in publication ${prices.publication} of ${dateText(prices.published_at)}.`}
            moves={prices.largest_falls}
          />
        </>
      )}
    </div>
  );
}

function Moves({
  title,
  note,
  moves,
}: {
  readonly title: string;
  readonly note: string;
  readonly moves: readonly PriceMove[];
}) {
  return (
    <section>
      <h3>{title}</h3>
      <p class="muted">{note}</p>
      <ol class="ranked">
        {moves.slice(0, shown).map(({ product, previous_minor, current_minor }) => (
          <li key={product.id}>
            <ProductLink product={product} />{' '}
            <span class={current_minor > previous_minor ? 'up' : 'down'}>
              {priceText(previous_minor)} → {priceText(current_minor)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function ProductLink({ product }: { readonly product: PriceMove['product'] }) {
  return <a href={placeOf('product', product.source_ids.agency_sku)}>{fullName(product)}</a>;
}
