import { useRef } from 'preact/hooks';
import { useLoaded } from '../app/session.ts';
import { useInSight } from '../components/in-sight.ts';
import { priceText } from '../text/text.ts';

/** Size and last price of a product that left the catalog. Its own document has them, which rows in sight read. */
export function LastKnown({ id }: { readonly id: string }) {
  const element = useRef<HTMLSpanElement>(null);
  const isInSight = useInSight(element, id);
  // A row is whole without them; the view of the product says what fails.
  const product = useLoaded(isInSight ? `last known ${id}` : null, (site, signal) => site.product.byId(id, { signal }));
  const { package_size: size, price } = product.value?.data ?? {};
  const facts = [size?.display, price && `last price ${priceText(price.amount_minor)}`].filter(Boolean);
  return (
    <span ref={element} class="last-known muted">
      {facts.join(' · ')}
    </span>
  );
}
