import { useMemo } from 'preact/hooks';
import type { StoreSummary } from '../../../generator/contract/documents/store.ts';
import { Choice } from '../components/choice.tsx';
import type { Catalog } from './catalog.ts';
import { type FilterName, type Filters, filterNames } from './filters.ts';

/** The fields that filter the table, apart from the categories. */
export function FilterForm({
  catalog,
  stores,
  filters,
  onChange,
}: {
  readonly catalog: Catalog;
  readonly stores: readonly StoreSummary[];
  readonly filters: Filters;
  readonly onChange: (changes: Partial<Filters>) => void;
}) {
  const { brands, statuses } = catalog.index;
  // There are thousands of options, which stay the same while the reader types.
  const options = useMemo(
    () => ({
      brand: brands.map(({ slug, name }) => [slug, name] as const),
      size: catalog.sizes.map(({ key, text, count }) => [key, `${text} (${count})`] as const),
      status: statuses.map(({ code, label }) => [code, label] as const),
      store: stores.map(({ id, name, source_ids }) => {
        const code = source_ids.inventory_store_code;
        return [id, code === null ? name : `${name} (${code})`] as const;
      }),
    }),
    [catalog, stores],
  );
  const isFiltered = filterNames.some((name) => name !== 'sort' && filters[name] !== '');
  const choose = (name: FilterName) => (value: string) => onChange({ [name]: value });
  const write = (name: FilterName) => (event: Event) => choose(name)((event.currentTarget as HTMLInputElement).value);
  return (
    <search class="filters">
      <label class="wide">
        Words in the name, brand or SKU
        <input type="search" value={filters.q} maxLength={200} onInput={write('q')} />
      </label>
      <Choice label="Brand" any="All brands" options={options.brand} value={filters.brand} onChange={choose('brand')} />
      <Choice label="Size" any="All sizes" options={options.size} value={filters.size} onChange={choose('size')} />
      <Choice
        label="Status"
        any="All statuses"
        options={options.status}
        value={filters.status}
        onChange={choose('status')}
      />
      <Choice
        label="Reported in store"
        any="Any store or none"
        options={options.store}
        value={filters.store}
        onChange={choose('store')}
      />
      <Amount label="Price from, $" value={filters.from} onInput={write('from')} />
      <Amount label="Price to, $" value={filters.to} onInput={write('to')} />
      <button
        type="button"
        disabled={!isFiltered}
        onClick={() => onChange({ q: '', category: '', brand: '', from: '', to: '', size: '', status: '', store: '' })}
      >
        Clear filters
      </button>
    </search>
  );
}

function Amount({
  label,
  value,
  onInput,
}: {
  readonly label: string;
  readonly value: string;
  readonly onInput: (event: Event) => void;
}) {
  return (
    <label class="amount">
      {label}
      <input type="text" inputMode="decimal" pattern="[0-9]+([.][0-9]*)?" value={value} onInput={onInput} />
    </label>
  );
}
