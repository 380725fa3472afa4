import type { ComponentChildren } from 'preact';
import { ProductField } from './product-field.tsx';

/** The products that a reader chose, each drawn by `show`, and a field to add more. */
export function ChosenProducts({
  title,
  what,
  skus,
  most,
  show,
  onChange,
}: {
  readonly title: string;
  /** What contains the products, such as `A comparison`. */
  readonly what: string;
  readonly skus: readonly string[];
  readonly most: number;
  readonly show: (sku: string) => ComponentChildren;
  readonly onChange: (skus: readonly string[]) => void;
}) {
  const add = (wanted: readonly string[]) => {
    const others = wanted.filter((sku) => !skus.includes(sku));
    const added = others.slice(0, Math.max(0, most - skus.length));
    if (added.length > 0) onChange([...skus, ...added]);
    const known = wanted.filter((sku) => skus.includes(sku));
    return {
      added,
      said: [
        ...(known.length === 0 ? [] : [`Already in the list: ${known.join(', ')}.`]),
        ...(others.length === added.length ? [] : [`${what} holds at most ${most} products.`]),
      ],
    };
  };
  return (
    <section aria-labelledby="chosen-products">
      <h2 id="chosen-products">{title}</h2>
      {skus.length === 0 && <p class="muted">No products yet. Add up to {most}.</p>}
      <ul class="chosen">
        {skus.map((sku) => (
          <li key={sku}>
            {show(sku)}
            <button
              type="button"
              class="small"
              aria-label={`Remove ${sku}`}
              onClick={() => onChange(skus.filter((other) => other !== sku))}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
      <ProductField onAdd={add} />
    </section>
  );
}
