import { useState } from 'preact/hooks';
import { PublicationChangedError } from '../../../client/open-site.ts';
import type { SearchHit } from '../../../generator/contract/documents/catalog.ts';
import { useSession } from '../app/session.ts';
import { ProductLine } from '../components/product.tsx';
import { isAgencyCode } from '../components/site-profile.ts';
import { countOf } from '../components/text.ts';
import { mostProducts } from './question.ts';
import type { AskedProduct } from './use-comparison.ts';

type ProductHit = Extract<SearchHit, { kind: 'product' }>;

/** The products of a question: those chosen, and a field that adds one by SKU or by words of its name. */
export function ProductList({
  skus,
  products,
  onChange,
}: {
  readonly skus: readonly string[];
  readonly products: readonly AskedProduct[];
  readonly onChange: (skus: readonly string[]) => void;
}) {
  const { site, noteChange } = useSession();
  const [hits, setHits] = useState<readonly ProductHit[]>([]);
  const [said, setSaid] = useState('');
  const add = (sku: string) => {
    if (skus.includes(sku)) setSaid(`${sku} is in the list already.`);
    else if (skus.length >= mostProducts) setSaid(`A comparison takes at most ${mostProducts} products.`);
    else {
      onChange([...skus, sku]);
      setHits([]);
      setSaid(`${sku} is added.`);
    }
  };
  const find = async (form: HTMLFormElement) => {
    const text = String(new FormData(form).get('text') ?? '').trim();
    if (text === '') return;
    if (isAgencyCode('sku', text)) {
      add(text);
      form.reset();
      return;
    }
    setSaid('Searching…');
    try {
      const { data, meta } = await site.search({ q: text, kinds: ['product'], limit: 8 });
      setHits(data.filter((hit) => hit.kind === 'product'));
      setSaid(
        meta.total > 8 ? `The first 8 of ${countOf(meta.total, 'product')}.` : `${countOf(meta.total, 'product')}.`,
      );
    } catch (error) {
      if (error instanceof PublicationChangedError) noteChange();
      setHits([]);
      setSaid(`The search failed. ${(error as Error).message}`);
    }
  };
  return (
    <section aria-labelledby="compare-products">
      <h2 id="compare-products">Products</h2>
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
          find(event.currentTarget);
        }}
      >
        <label class="wide">
          Add by SKU or by name
          <input type="search" name="text" maxLength={200} autocomplete="off" />
        </label>
        <button type="submit">Find</button>
      </form>
      <p class="muted" role="status">
        {said}
      </p>
      {hits.length > 0 && (
        <ul class="chosen">
          {hits.map(({ agency_sku: sku, name, brand }) => (
            <li key={sku}>
              <ProductLine product={{ sku, brand, name }} />
              <button type="button" class="small" aria-label={`Add ${name}, ${sku}`} onClick={() => add(sku)}>
                Add
              </button>
            </li>
          ))}
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
