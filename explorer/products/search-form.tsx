import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Combobox, Match, type Matches, MatchList } from '../parts/combobox.tsx';
import { hrefFor } from '../site/router.ts';
import { hasStores } from '../site/site-profile.ts';
import { type GoneProducts, goneFacts, useGoneProducts } from './gone-products.ts';
import { type NamedThings, useNamedThings } from './named-things.ts';
import { type ProductIndex, useProductIndex } from './product-index.ts';
import { KeyFacts } from './product-link.tsx';

/** How many of each group are listed. Categories come first, because they lead to the most products. */
const kinds = [
  ['category', 'Categories', 2],
  ['product', 'Products', 6],
  ['brand', 'Brands', 2],
  ['store', 'Stores', 2],
] as const;
type Hit = { readonly key: string; readonly href: string; readonly name: string; readonly note: ComponentChildren };

type Group = { readonly label: string; readonly hits: readonly Hit[] };

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
  const groups = useFoundGroups(text, isOpen, isWanted);
  const hits = groups.flatMap(({ hits }) => hits);
  const matches = { listId: 'search-hits', count: hits.length, active };
  useSlashKey(input);
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
  return (
    <search class={isLarge ? 'large' : undefined}>
      <form class="search" onSubmit={submit}>
        <Combobox
          inputRef={input}
          matches={matches}
          least={-1}
          name="q"
          maxLength={200}
          value={text}
          placeholder={hasStores() ? 'Search products, brands, stores' : 'Search products and brands'}
          aria-label={`Search products, families${hasStores() ? ', brands and stores' : ' and brands'}`}
          onFocus={() => setWanted(true)}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            setOpen(true);
            setActive(-1);
          }}
          onMove={setActive}
          onEscape={() => setOpen(false)}
          onBlur={() => setOpen(false)}
        />
        <button type="submit" class={isLarge ? 'main' : undefined}>
          Search
        </button>
        {hits.length > 0 && <Hits groups={groups} hits={hits} matches={matches} onChoose={close} />}
      </form>
    </search>
  );
}

/** Moves the focus to the field when the reader presses / outside of other fields. */
function useSlashKey(input: RefObject<HTMLInputElement | null>): void {
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
}

/** What a text finds, once its lists are loaded; nothing while the list is closed. */
function useFoundGroups(text: string, isOpen: boolean, isWanted: boolean): readonly Group[] {
  const index = useProductIndex(isWanted).value;
  const things = useNamedThings(index);
  const gone = useGoneProducts(index !== null).value;
  return useMemo(
    () => (isOpen && index ? findHits(text, index, things, gone) : []),
    [isOpen, index, things, gone, text],
  );
}

function Hits({
  groups,
  hits,
  matches,
  onChoose,
}: {
  readonly groups: readonly Group[];
  /** The hits of all groups. */
  readonly hits: readonly Hit[];
  readonly matches: Matches;
  readonly onChoose: () => void;
}) {
  return (
    <MatchList id={matches.listId} class="hits">
      {groups.map(({ label, hits: ofGroup }) => (
        // biome-ignore lint/a11y/useSemanticElements: a list box has groups, not fieldsets
        <div key={label} role="group" aria-label={label}>
          <div class="group" aria-hidden="true">
            {label}
          </div>
          {ofGroup.map((hit) => (
            <Match key={hit.key} matches={matches} at={hits.indexOf(hit)} href={hit.href} onChoose={onChoose}>
              {hit.name} {hit.note}
            </Match>
          ))}
        </div>
      ))}
    </MatchList>
  );
}

/**
 * The best matches of each group that has any. Products are available before the others. Those that left the catalog
 * come after all that are listed.
 */
function findHits(text: string, index: ProductIndex, things: NamedThings | null, gone: GoneProducts | null): Group[] {
  return kinds
    .map(([kind, label, most]): Group => {
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
