import { useMemo, useState } from 'preact/hooks';
import { ProductLine } from '../components/product.tsx';
import { useProductIndex } from '../components/product-index.ts';
import { countOf } from '../components/text.ts';
import { isSku, mostProducts } from './skus.ts';
import type { AskedProduct } from './use-comparison.ts';

const mostHits = 8;

/** The products of a trip: those chosen, and a field that adds one by SKU or by words of its name. */
export function ProductList({
  skus,
  products,
  onChange,
}: {
  readonly skus: readonly string[];
  readonly products: readonly AskedProduct[];
  readonly onChange: (skus: readonly string[]) => void;
}) {
  const [text, setText] = useState('');
  const [said, setSaid] = useState('');
  const index = useProductIndex(text !== '').value;
  const hits = useMemo(() => index?.find(text) ?? [], [index, text]);
  const add = (sku: string) => {
    setText('');
    if (skus.includes(sku)) setSaid(`${sku} is in the list already.`);
    else if (skus.length >= mostProducts) setSaid(`A trip holds at most ${mostProducts} products.`);
    else {
      onChange([...skus, sku]);
      setSaid(`${sku} is added.`);
    }
  };
  const submit = () => {
    const [first] = hits;
    if (isSku(text.trim())) add(text.trim());
    else if (index && first !== undefined && hits.length === 1) add(index.sku(first));
  };
  return (
    <section aria-labelledby="trip-products">
      <h2 id="trip-products">Products</h2>
      {skus.length === 0 && <p class="muted">No product yet. Add one to {mostProducts}.</p>}
      <ul class="chosen">
        {skus.map((sku) => (
          <li key={sku}>
            <AskedName sku={sku} products={products} />
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

function AskedName({ sku, products }: { readonly sku: string; readonly products: readonly AskedProduct[] }) {
  const asked = products.find((product) => product.sku === sku);
  if (asked === undefined) return <span class="muted">{sku}</span>;
  if (asked.availability === null) return <span class="bad">{sku}: no published product has this SKU</span>;
  const { id, brand, name } = asked.availability.product;
  const first = products.find(({ availability }) => availability?.product.id === id);
  return (
    <ProductLine product={{ sku, brand, name }}>
      {first !== asked && <span class="bad"> the same product as {first?.sku}</span>}
    </ProductLine>
  );
}
