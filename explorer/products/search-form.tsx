import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { hrefFor } from '../site/router.ts';
import { hasStores } from '../site/site-profile.ts';
import { type GoneProducts, goneFacts, useGoneProducts } from './gone-products.ts';
import { type NamedThings, useNamedThings } from './named-things.ts';
import { type ProductIndex, useProductIndex } from './product-index.ts';
import { KeyFacts } from './product-link.tsx';

/** How many of each group are listed. Categories come first, because they lead to the most products. */
const groups = [
  ['category', 'Categories', 2],
  ['product', 'Products', 6],
  ['brand', 'Brands', 2],
  ['store', 'Stores', 2],
] as const;
type Hit = { readonly key: string; readonly href: string; readonly name: string; readonly note: ComponentChildren };

const listId = 'search-hits';
/** The list below the field is not a browser datalist (ARIA APG, combobox). */
const noOptions = { list: undefined };

/**
 * The search field. While the reader types, it lists the best matching products, categories, brands and stores, to open
 * with the arrow keys and Enter. Enter alone opens the Search view. The / key moves the focus to the field from
 * anywhere.
 */
export function SearchForm({ isLarge = false }: { readonly isLarge?: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [isWanted, setWanted] = useState(false);
  const [active, setActive] = useState(-1);
  const index = useProductIndex(isWanted).value;
  const things = useNamedThings(index);
  const gone = useGoneProducts(index !== null).value;
  const found = useMemo(
    () => (isOpen && index ? findHits(text, index, things, gone) : []),
    [isOpen, index, things, gone, text],
  );
  const hits = found.flatMap(({ hits }) => hits);
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
  const go = (href: string) => {
    close();
    location.hash = href;
  };
  const submit = (event: Event) => {
    event.preventDefault();
    const hit = hits[active];
    const words = text.trim();
    if (hit !== undefined) go(hit.href);
    else if (words !== '') go(hrefFor('search', '', { q: words }));
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
        {hits.length > 0 && (
          // Pressing a match must not take the focus, because that would close the list.
          <div
            class="hits"
            id={listId}
            role="listbox"
            aria-label="Results"
            tabIndex={-1}
            onMouseDown={(event) => event.preventDefault()}
          >
            {found.map(({ label, hits: ofGroup }) => (
              // biome-ignore lint/a11y/useSemanticElements: a list box has groups, not fieldsets
              <div key={label} role="group" aria-label={label}>
                <div class="group" aria-hidden="true">
                  {label}
                </div>
                {ofGroup.map((hit) => {
                  const at = hits.indexOf(hit);
                  return (
                    <a
                      key={hit.key}
                      id={`${listId}-${at}`}
                      href={hit.href}
                      tabIndex={-1}
                      role="option"
                      aria-selected={at === active}
                      onClick={close}
                    >
                      {hit.name} {hit.note}
                    </a>
                  );
                })}
              </div>
            ))}
          </div>
        )}
      </form>
    </search>
  );
}

/**
 * The best matches of each group that has any. Products are available before the others. Those that left the catalog
 * come after all that are listed.
 */
function findHits(text: string, index: ProductIndex, things: NamedThings | null, gone: GoneProducts | null) {
  return groups
    .map(([kind, label, most]): { readonly label: string; readonly hits: readonly Hit[] } => {
      if (kind === 'product') {
        const listed = index
          .find(text)
          .slice(0, most)
          .map((product): Hit => {
            const sku = index.sku(product);
            const note = <KeyFacts index={index} sku={sku} />;
            return { key: sku, href: hrefFor('product', sku), name: index.name(product), note };
          });
        const left = gone?.find(text).map((product): Hit => {
          const { sku, name } = product;
          const note = <span class="muted">{goneFacts(product)}</span>;
          return { key: `left ${sku}`, href: hrefFor('product', sku), name, note };
        });
        return { label, hits: [...listed, ...(left ?? [])].slice(0, most) };
      }
      const hits = things?.find(kind, text).slice(0, most) ?? [];
      return {
        label,
        hits: hits.map(({ id, name, note, href }) => ({
          ...{ key: `${kind} ${id}`, href, name, note: <span class="muted">{note}</span> },
        })),
      };
    })
    .filter(({ hits }) => hits.length > 0);
}
