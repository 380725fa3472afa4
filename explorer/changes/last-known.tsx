import { useRef } from 'preact/hooks';
import { useInSight } from '../parts/in-sight.ts';
import { priceText } from '../parts/text.ts';
import { useLoaded } from '../site/session.ts';

/** Size and last price of a product that left the catalog. Visible rows read them from the product's own document. */
export function LastKnown({ id }: { readonly id: string }) {
  const element = useRef<HTMLSpanElement>(null);
  const isInSight = useInSight(element, id);
  // Without them a row is still complete; the product's own view explains failures.
  const product = useLoaded(isInSight ? `last known ${id}` : null, (site, signal) => site.product.byId(id, { signal }));
  const { package_size: size, price } = product.value?.data ?? {};
  const facts = [size?.display, price && `last price ${priceText(price.amount_minor)}`].filter(Boolean);
  return (
    <span ref={element} class="last-known muted">
      {facts.join(' · ')}
    </span>
  );
}
