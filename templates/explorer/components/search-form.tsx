import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { placeOf } from '../app/router.ts';
import { ProductFacts } from './product.tsx';
import { useProductIndex } from './product-index.ts';
import { hasStores } from './site-profile.ts';

const mostHits = 8;
const listId = 'search-hits';
/** The list beside the field is not one of the browser's own (ARIA APG, combobox). */
const noOptions = { list: undefined };

/**
 * A field for words. While the reader types, it lists the products that most stores report, which arrow keys and Enter open. Enter
 * alone leads to the view of all hits. The key / goes to the field from anywhere in the page.
 */
export function SearchForm({ isLarge = false }: { readonly isLarge?: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [isWanted, setWanted] = useState(false);
  const [active, setActive] = useState(-1);
  const index = useProductIndex(isWanted).value;
  const hits = useMemo(() => (isOpen && index ? index.withWords(text, mostHits) : []), [isOpen, index, text]);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping = (event.target as Element | null)?.closest('input, textarea, select, [contenteditable]');
      if (event.key !== '/' || isTyping) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
  const close = () => {
    setOpen(false);
    setActive(-1);
    setText('');
  };
  const go = (place: string) => {
    close();
    location.hash = place;
  };
  const submit = (event: Event) => {
    event.preventDefault();
    const hit = hits[active];
    const words = text.trim();
    if (hit !== undefined && index) go(placeOf('product', index.sku(hit)));
    else if (words !== '') go(placeOf('search', '', { q: words }));
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') setOpen(false);
    else if (step !== undefined && hits.length > 0) {
      event.preventDefault();
      setActive((at) => Math.max(-1, Math.min(hits.length - 1, at + step)));
    }
  };
  return (
    <search class={isLarge ? 'large' : undefined}>
      <form class="search" onSubmit={submit}>
        <input
          ref={input}
          type="search"
          name="q"
          maxLength={200}
          value={text}
          autocomplete="off"
          placeholder={hasStores() ? 'Search products, brands, stores' : 'Search products and brands'}
          aria-label={`Search products, families${hasStores() ? ', brands and stores' : ' and brands'}`}
          role="combobox"
          {...noOptions}
          aria-autocomplete="list"
          aria-expanded={hits.length > 0}
          aria-controls={hits.length > 0 ? listId : undefined}
          aria-activedescendant={active >= 0 && hits.length > 0 ? `${listId}-${active}` : undefined}
          onFocus={() => setWanted(true)}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            setOpen(true);
            setActive(-1);
          }}
          onKeyDown={press}
          onBlur={() => setOpen(false)}
        />
        <button type="submit" class={isLarge ? 'main' : undefined}>
          Search
        </button>
        {index && hits.length > 0 && (
          // The press on a hit must not take the focus, which would close the list.
          <div
            class="hits"
            id={listId}
            role="listbox"
            aria-label="Products"
            tabIndex={-1}
            onMouseDown={(event) => event.preventDefault()}
          >
            {hits.map((product, at) => (
              <a
                key={product}
                id={`${listId}-${at}`}
                href={placeOf('product', index.sku(product))}
                tabIndex={-1}
                role="option"
                aria-selected={at === active}
                onClick={close}
              >
                {index.name(product)} <ProductFacts sku={index.sku(product)} />
              </a>
            ))}
          </div>
        )}
      </form>
    </search>
  );
}
