import { useMemo } from 'preact/hooks';
import type { StoreSummary } from '../../contract/schemas/store.ts';
import { Choice, type Option } from '../parts/choice.tsx';
import { type FilterInUse, FilterRow } from '../parts/filter-row.tsx';
import { SeveralChoice } from '../parts/several-choice.tsx';
import { codeParameter, codesIn } from '../site/address-query.ts';
import { type Catalog, type FilterChoice, filterChoices } from './catalog.ts';
import { type Filtered, type FilterName, type Filters, filterNames } from './filters.ts';

/** Orders for a narrow window, whose table lacks some of the headings that sort it. */
const orders = [
  ['litre', 'Lowest price per litre'],
  ['price', 'Lowest price'],
  ['-price', 'Highest price'],
  ['product', 'Name'],
] as const;

const labels: Readonly<Record<Exclude<FilterName, 'as_of'>, string>> = {
  q: 'Name or SKU',
  category: 'Category',
  brand: 'Brand',
  from: 'Price from',
  to: 'Price to',
  size: 'Size',
  year: 'Year in name',
  status: 'Status',
  store: 'Reported in',
  sort: 'Sort by',
};

const noValues = { q: '', category: '', brand: '', from: '', to: '', size: '', year: '', status: '', store: '' };

/**
 * The fields that filter the table. Each value shows how many products it would leave; with null `counts`, that is not
 * known.
 */
export function FilterForm({
  catalog,
  counts,
  stores,
  filters,
  onChange,
}: {
  readonly catalog: Catalog;
  readonly counts: Filtered['counts'] | null;
  readonly stores: readonly StoreSummary[];
  readonly filters: Filters;
  readonly onChange: (changes: Partial<Filters>) => void;
}) {
  const options = useMemo(() => listOptions(catalog), [catalog]);
  const storeOptions = useMemo(() => stores.map(({ id, name }) => [id, name] as const), [stores]);
  const used = filterNames.filter((name) => name !== 'sort' && name !== 'as_of').filter((name) => filters[name] !== '');
  const textOf = (name: FilterName, value: string) => {
    if (name === 'store') return stores.find(({ id }) => id === value)?.name ?? value;
    const choice = filterChoices.find((choice) => choice === name);
    return (choice && catalog.options[choice].find(({ key }) => key === value)?.text) ?? value;
  };
  const statuses = codesIn(filters.status);
  const inUseOf = (name: (typeof used)[number]): FilterInUse[] =>
    (name === 'status' ? statuses : [filters[name]]).map((value) => ({
      label: labels[name],
      text: textOf(name, value),
      clear: () =>
        onChange({ [name]: name === 'status' ? codeParameter(statuses.filter((status) => status !== value)) : '' }),
    }));
  const choose = (name: FilterName) => (value: string) => onChange({ [name]: value });
  const write = (name: FilterName) => (event: Event) => choose(name)((event.currentTarget as HTMLInputElement).value);
  return (
    <FilterRow
      used={used.filter((name) => name !== 'q').length}
      inUse={used.flatMap(inUseOf)}
      onClear={used.length === 0 ? null : () => onChange(noValues)}
      first={
        <label class="wide">
          {labels.q}
          <input type="search" value={filters.q} maxLength={200} onInput={write('q')} />
        </label>
      }
    >
      {filterChoices.map((choice) => {
        const shared = { label: labels[choice], options: options[choice], counts: counts?.[choice] ?? null };
        // In most catalogs no name contains a year.
        if (choice === 'year' && shared.options.length === 0 && filters.year === '') return null;
        if (choice === 'status')
          return (
            <SeveralChoice
              key={choice}
              {...shared}
              values={statuses}
              onChange={(codes) => onChange({ status: codeParameter(codes) })}
            />
          );
        return <Choice key={choice} {...shared} any="All" value={filters[choice]} onChange={choose(choice)} />;
      })}
      <Choice
        label={labels.store}
        any="Any store"
        options={storeOptions}
        value={filters.store}
        onChange={choose('store')}
      />
      <Choice
        label={labels.sort}
        any="Reported by most stores"
        options={orders}
        value={filters.sort}
        onChange={choose('sort')}
        isOnlyNarrow
      />
      <Amount label={labels.from} value={filters.from} onInput={write('from')} />
      <Amount label={labels.to} value={filters.to} onInput={write('to')} />
    </FilterRow>
  );
}

/** The options of each list, indented by their level in the tree. */
function listOptions({ options }: Catalog): Readonly<Record<FilterChoice, readonly Option[]>> {
  const all = filterChoices.map((choice) => [
    choice,
    options[choice].map(({ key, text, depth }): Option => [key, '\u2003'.repeat(depth) + text]),
  ]);
  return Object.fromEntries(all) as Record<FilterChoice, readonly Option[]>;
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
