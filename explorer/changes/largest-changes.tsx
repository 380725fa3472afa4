import type { Activity, PriceMove } from '../../contract/schemas/metadata.ts';
import { Moved, priceMove } from '../parts/moved.tsx';
import { countNoun, dateText, priceText } from '../parts/text.ts';
import { named, ProductLine } from '../products/product-link.tsx';

const shown = 5;

/** The products with the most changes, and the largest price moves. */
export function LargestChanges({ activity }: { readonly activity: Activity }) {
  const { most_changed, prices } = activity;
  return (
    <div class="charts">
      <section>
        <h3>Most changes in this publication</h3>
        {most_changed.length === 0 && <p class="muted">Nothing changed.</p>}
        <ol class="ranked">
          {most_changed.slice(0, shown).map(({ product, event_count }) => (
            <li key={product.id}>
              <ProductLine product={named(product)}>
                <b>{countNoun(event_count, 'change')}</b>
              </ProductLine>
            </li>
          ))}
        </ol>
      </section>
      {prices && (
        <>
          <Moves
            title="Largest price rises"
            note={`${countNoun(prices.rise_count, 'price')} rose on ${dateText(prices.published_at)}.`}
            moves={prices.largest_rises}
          />
          <Moves
            title="Largest price falls"
            note={`${countNoun(prices.fall_count, 'price')} fell on ${dateText(prices.published_at)}.`}
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
        {moves.slice(0, shown).map(({ product, previous_minor, current_minor }) => {
          const move = priceMove(previous_minor, current_minor);
          return (
            <li key={product.id}>
              <ProductLine product={named(product)}>
                <b>
                  {priceText(previous_minor)} → {priceText(current_minor)}
                </b>{' '}
                {move && <Moved move={move} />}
              </ProductLine>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
