import { useEffect, useId, useMemo, useState } from 'preact/hooks';
import { Combobox, Match, MatchList } from '../parts/combobox.tsx';
import { countText } from '../parts/text.ts';
import { isAgencyCode } from '../site/site-profile.ts';
import { useProductChoices } from './product-choices.tsx';
import {
  doneText,
  type Entry,
  entryFor,
  hint,
  leftText,
  mostHits,
  pastedLine,
  typedProducts,
} from './typed-products.ts';

const nothing = { first: [], count: 0 };

type Added = { readonly added: readonly string[]; readonly said: readonly string[] };
/** Adds products, and returns what to say about those that were not added. */
type Add = (skus: readonly string[]) => Added;

/**
 * A field that adds products by SKU or by words of their names, one at a time or as a list. For a single name it lists
 * the best matches, and Enter adds the one chosen with the arrow keys or, if no other matches as well, the first. In a
 * list, names that could mean several products ask which. The field keeps the focus for the next product.
 */
export function ProductField({ onAdd }: { readonly onAdd: Add }) {
  const listId = useId();
  const { text, typed, shown, entries, active, isLoaded, said, write, setChosen, add, submit } = useTyping(onAdd);
  const matches = { listId, count: shown.length, active };
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData?.getData('text/plain') ?? '';
    const { value, selectionStart, selectionEnd } = event.currentTarget as HTMLInputElement;
    if (!/[\t\r\n]/.test(pasted)) return;
    event.preventDefault();
    write(
      value.slice(0, selectionStart ?? value.length) + pastedLine(pasted) + value.slice(selectionEnd ?? value.length),
    );
  };
  return (
    <form
      class="product-field"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {/* biome-ignore lint/a11y/noLabelWithoutControl: a combobox is a field */}
      <label class="wide">
        Add products by SKU or name, separated by commas
        <Combobox
          matches={matches}
          least={0}
          name="text"
          maxLength={2000}
          value={text}
          onInput={({ currentTarget }) => write(currentTarget.value)}
          onMove={setChosen}
          onEscape={() => write('')}
          onPaste={paste}
        />
      </label>
      <button type="submit" disabled={typed.length === 0}>
        Add
      </button>
      {(shown.length > 0 || entries.length > 0) && (
        <div class="hits">
          {shown.length > 0 && (
            <MatchList id={listId}>
              {shown.map((product, at) => (
                <Match
                  key={product.sku}
                  matches={matches}
                  at={at}
                  onChoose={() => add([{ typed: product.sku, products: [product] }])}
                >
                  {product.name} {product.facts}
                </Match>
              ))}
            </MatchList>
          )}
          {entries.length > 0 && (
            <ul>
              {entries.map((entry) => (
                <li key={entry.typed}>
                  <EntryLine
                    entry={entry}
                    isLoaded={isLoaded}
                    onChoose={(sku) => write(typed.map((one) => (one === entry.typed ? sku : one)).join(', '))}
                  />
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
      <p class="muted" role="status">
        {said}
      </p>
    </form>
  );
}

/** What the reader types, what it means, and what to say about it. */
function useTyping(onAdd: Add) {
  const [text, setText] = useState('');
  /** The position that the reader chose with the arrow keys; null for none. */
  const [chosen, setChosen] = useState<number | null>(null);
  const [isWanted, setWanted] = useState(false);
  /** Whether Enter was pressed before the products were loaded. */
  const [isWaiting, setWaiting] = useState(false);
  const [done, setDone] = useState<Added | null>(null);
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
    else if (isList) add(entries);
    else if (shown[active] !== undefined) add([{ typed: one, products: [shown[active]] }]);
    else add([entryFor(one, choices)]);
  };
  useEffect(() => {
    if (isWaiting && choices !== null) submit();
  }, [isWaiting, choices]);
  const isLoaded = choices !== null;
  const said = done === null ? hint(typed, count, entries, isLoaded, active >= 0) : doneText(done, choices);
  return { text, typed, shown, entries, active, isLoaded, said, write, setChosen, add, submit };
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
