import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { ProductLine } from './product.tsx';
import { useProductIndex } from './product-index.ts';
import { isAgencyCode } from './site-profile.ts';
import { countOf } from './text.ts';

const mostHits = 8;

/** The products that a reader chose, each with what `show` says of it, and a field that adds one by SKU or by words of its name. */
export function ChosenProducts({
  title,
  what,
  skus,
  most,
  show,
  onChange,
}: {
  readonly title: string;
  /** What has the products, such as `A comparison`. */
  readonly what: string;
  readonly skus: readonly string[];
  readonly most: number;
  readonly show: (sku: string) => ComponentChildren;
  readonly onChange: (skus: readonly string[]) => void;
}) {
  const [text, setText] = useState('');
  const [said, setSaid] = useState('');
  const index = useProductIndex(text !== '').value;
  const hits = useMemo(() => index?.find(text) ?? [], [index, text]);
  const add = (sku: string) => {
    setText('');
    if (skus.includes(sku)) setSaid(`${sku} is in the list already.`);
    else if (skus.length >= most) setSaid(`${what} takes at most ${most} products.`);
    else {
      onChange([...skus, sku]);
      setSaid(`${sku} is added.`);
    }
  };
  const submit = () => {
    const [first] = hits;
    if (isAgencyCode('sku', text.trim())) add(text.trim());
    else if (index && first !== undefined && hits.length === 1) add(index.sku(first));
  };
  return (
    <section aria-labelledby="chosen-products">
      <h2 id="chosen-products">{title}</h2>
      {skus.length === 0 && <p class="muted">No product yet. Add one to {most}.</p>}
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
      <form
        class="controls"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <label class="wide">
          Add by SKU or by name
          <input
            type="search"
            name="text"
            maxLength={200}
            autocomplete="off"
            value={text}
            onInput={({ currentTarget }) => {
              setText(currentTarget.value);
              setSaid('');
            }}
          />
        </label>
      </form>
      <p class="muted" role="status">
        {text.trim() === '' || index === null
          ? said
          : hits.length > mostHits
            ? `The first ${mostHits} of ${countOf(hits.length, 'product')}.`
            : `${countOf(hits.length, 'product')}.`}
      </p>
      {index !== null && hits.length > 0 && (
        <ul class="chosen">
          {hits.slice(0, mostHits).map((product) => {
            const [sku, name] = [index.sku(product), index.name(product)];
            return (
              <li key={sku}>
                <ProductLine product={{ sku, brand: null, name }} />
                <button type="button" class="small" aria-label={`Add ${name}, ${sku}`} onClick={() => add(sku)}>
                  Add
                </button>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
