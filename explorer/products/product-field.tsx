import { useEffect, useId, useMemo, useState } from 'preact/hooks';
import { countNoun, countText } from '../parts/text.ts';
import { isAgencyCode } from '../site/site-profile.ts';
import { type ProductChoice, type ProductChoices, useProductChoices } from './product-choices.tsx';
import { pastedLine, typedProducts } from './typed-products.ts';

const mostHits = 8;
const nothing = { first: [], count: 0 };
/** The list below the field is not a browser datalist (ARIA APG, combobox). */
const noOptions = { list: undefined };

/** What was typed, and the products that it may mean: none if none matches, several if the reader has to choose. */
type Entry = { readonly typed: string; readonly products: readonly ProductChoice[] };

/**
 * A field that adds products by SKU or by words of their names, one at a time or as a list. For a single name it lists
 * the best matches, and Enter adds the one chosen with the arrow keys or, if no other matches as well, the first. In a
 * list, names that could mean several products ask which. The field keeps the focus for the next product. `onAdd` adds
 * products and returns what to say about those that were not added.
 */
export function ProductField({
  onAdd,
}: {
  readonly onAdd: (skus: readonly string[]) => { readonly added: readonly string[]; readonly said: readonly string[] };
}) {
  const listId = useId();
  const [text, setText] = useState('');
  /** The position that the reader chose with the arrow keys; null for none. */
  const [chosen, setChosen] = useState<number | null>(null);
  const [isWanted, setWanted] = useState(false);
  /** Whether Enter was pressed before the products were loaded. */
  const [isWaiting, setWaiting] = useState(false);
  const [done, setDone] = useState<{ readonly added: readonly string[]; readonly said: readonly string[] } | null>(
    null,
  );
  const choices = useProductChoices(isWanted);
  const typed = useMemo(() => typedProducts(text), [text]);
  const isList = typed.length > 1;
  const { first: shown, count } = useMemo(
    () => (choices === null || isList ? nothing : choices.find(text, mostHits)),
    [choices, isList, text],
  );
  const isClear = useMemo(() => !isList && choices?.meant(text).length === 1, [choices, isList, text]);
  const active = chosen ?? (isClear ? 0 : -1);
  const entries = useMemo(() => (isList ? typed.map((one) => entryFor(one, choices)) : []), [isList, typed, choices]);
  const write = (next: string) => {
    setText(next);
    setChosen(null);
    setWanted(true);
    setWaiting(false);
    setDone(null);
  };
  const add = (wanted: readonly Entry[]) => {
    const { added, said } = onAdd([
      ...new Set(wanted.flatMap(({ products }) => (products.length === 1 ? products.map(({ sku }) => sku) : []))),
    ]);
    const left = wanted.filter(({ products }) => products.length !== 1);
    write(left.map(({ typed }) => typed).join(', '));
    setDone({ added, said: [...said, ...left.map(leftText)] });
  };
  const submit = () => {
    const [one] = typed;
    if (one === undefined) return;
    const isOfNames = typed.some((one) => !isAgencyCode('sku', one));
    if (isOfNames && choices === null) setWaiting(true);
    else if (isList) add(typed.map((one) => entryFor(one, choices)));
    else if (shown[active] !== undefined) add([{ typed: one, products: [shown[active]] }]);
    else add([entryFor(one, choices)]);
  };
  useEffect(() => {
    if (isWaiting && choices !== null) submit();
  }, [isWaiting, choices]);
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') write('');
    else if (step !== undefined && shown.length > 0) {
      event.preventDefault();
      setChosen(Math.max(0, Math.min(shown.length - 1, active + step)));
    }
  };
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData?.getData('text/plain') ?? '';
    const { value, selectionStart, selectionEnd } = event.currentTarget as HTMLInputElement;
    if (!/[\t\r\n]/.test(pasted)) return;
    event.preventDefault();
    write(
      value.slice(0, selectionStart ?? value.length) + pastedLine(pasted) + value.slice(selectionEnd ?? value.length),
    );
  };
  const isOpen = shown.length > 0 || entries.length > 0;
  return (
    <form
      class="product-field"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <label class="wide">
        Add products by SKU or name, separated by commas
        <input
          type="search"
          name="text"
          maxLength={2000}
          autocomplete="off"
          role="combobox"
          {...noOptions}
          aria-autocomplete="list"
          aria-expanded={shown.length > 0}
          aria-controls={shown.length > 0 ? listId : undefined}
          aria-activedescendant={shown.length > 0 && active >= 0 ? `${listId}-${active}` : undefined}
          value={text}
          onInput={({ currentTarget }) => write(currentTarget.value)}
          onKeyDown={press}
          onPaste={paste}
        />
      </label>
      <button type="submit" disabled={typed.length === 0}>
        Add
      </button>
      {isOpen && (
        <div class="hits">
          {shown.length > 0 && (
            // Pressing a match must not take the focus from the field.
            <div
              id={listId}
              role="listbox"
              aria-label="Results"
              tabIndex={-1}
              onMouseDown={(event) => event.preventDefault()}
            >
              {shown.map((product, at) => (
                <div
                  key={product.sku}
                  id={`${listId}-${at}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={at === active}
                  onClick={() => add([{ typed: product.sku, products: [product] }])}
                  onKeyDown={press}
                >
                  {product.name} {product.facts}
                </div>
              ))}
            </div>
          )}
          {entries.length > 0 && (
            <ul>
              {entries.map((entry) => (
                <li key={entry.typed}>
                  <EntryLine
                    entry={entry}
                    isLoaded={choices !== null}
                    onChoose={(sku) => write(typed.map((one) => (one === entry.typed ? sku : one)).join(', '))}
                  />
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
      <p class="muted" role="status">
        {done === null ? hint(typed, count, entries, choices !== null, active >= 0) : doneText(done, choices)}
      </p>
    </form>
  );
}

/** A typed part of a list: the product that it means, or the products to choose from. */
function EntryLine({
  entry: { typed, products },
  isLoaded,
  onChoose,
}: {
  readonly entry: Entry;
  readonly isLoaded: boolean;
  readonly onChoose: (sku: string) => void;
}) {
  const [one] = products;
  if (one === undefined) return <span class={isLoaded ? 'bad' : 'muted'}>{typed}</span>;
  if (products.length === 1)
    return (
      <>
        {one.name} {one.facts}
      </>
    );
  return (
    // Pressing a product must not take the focus from the field.
    <fieldset class="which" onMouseDown={(event) => event.preventDefault()}>
      <legend>Which “{typed}”?</legend>
      {products.slice(0, mostHits).map(({ sku, name, facts }) => (
        <button key={sku} type="button" class="small" onClick={() => onChoose(sku)}>
          {name} {facts}
        </button>
      ))}
      {products.length > mostHits && (
        <span class="muted"> and {countText(products.length - mostHits)} more: type more words</span>
      )}
    </fieldset>
  );
}

/** What a typed part means: a SKU itself, or the best matches for words. */
function entryFor(typed: string, choices: ProductChoices | null): Entry {
  if (isAgencyCode('sku', typed))
    return { typed, products: [choices?.named(typed) ?? { sku: typed, name: typed, facts: null }] };
  return { typed, products: choices?.meant(typed) ?? [] };
}

/** Why a typed part was not added. */
function leftText({ typed, products }: Entry): string {
  return products.length === 0 ? `No product matches “${typed}”.` : `“${typed}” could be several products: choose one.`;
}

/** Says what Enter does. */
function hint(
  typed: readonly string[],
  hits: number,
  entries: readonly Entry[],
  isLoaded: boolean,
  isChosen: boolean,
): string {
  if (typed.length === 0 || !isLoaded) return '';
  if (entries.length > 0) {
    const found = entries.filter(({ products }) => products.length === 1).length;
    const isAll = found === entries.length;
    return found === 0
      ? ''
      : `Enter adds ${isAll ? 'these' : 'the'} ${countNoun(found, 'product')}${isAll ? '' : ' that are certain'}.`;
  }
  if (hits === 0) return typed.every((one) => isAgencyCode('sku', one)) ? 'Enter adds this SKU.' : 'No products.';
  const first =
    hits > mostHits ? `The first ${mostHits} of ${countNoun(hits, 'product')}.` : `${countNoun(hits, 'product')}.`;
  return `${first} ${isChosen ? 'Enter adds the highlighted one.' : 'Choose one: several match as well.'}`;
}

function doneText(
  { added, said }: { readonly added: readonly string[]; readonly said: readonly string[] },
  choices: ProductChoices | null,
): string {
  const names = added.map((sku) => choices?.named(sku)?.name ?? sku).join(', ');
  return [...(added.length === 0 ? [] : [`Added ${names}.`]), ...said].join(' ');
}
