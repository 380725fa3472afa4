import { useMemo } from 'preact/hooks';
import type { StoreSummary } from '../../../generator/contract/documents/store.ts';
import { placeOf, replaceQuery, type ViewProps } from '../app/router.ts';
import { useLoaded, useSession } from '../app/session.ts';
import { Choice } from '../components/choice.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Page } from '../components/page.tsx';
import { WhenLoaded } from '../components/states.tsx';
import { StoreMap } from '../components/store-map.tsx';
import { capital, words } from '../components/text.ts';
import { choicesOf, placeOfStore, presenceWords, servicesText } from '../stores/store-words.ts';

/** All stores of the publication: as a table, and on a map. The filters are in the address. */
export function Stores({ query }: ViewProps) {
  const { site } = useSession();
  const stores = useLoaded('stores', (site, signal) => site.stores({}, { signal }).take(Number.POSITIVE_INFINITY));
  return (
    <Page
      title="Stores"
      lead="Every store of this publication, as the agency’s directory lists it."
      sources={[{ label: 'Stores, the first page', url: site.addressOf('stores') }]}
    >
      <WhenLoaded loaded={stores} what="the stores">
        {(rows) => <FilteredStores stores={rows} query={query} />}
      </WhenLoaded>
    </Page>
  );
}

/** The filters by their names in the address, and what of a store they compare. */
const filters = {
  city: { label: 'City', codesOf: (store) => [store.address.city], show: (city) => city },
  access: { label: 'Kind', codesOf: (store) => [store.access_type], show: words },
  state: { label: 'State', codesOf: (store) => [store.operational_status.state], show: words },
  service: { label: 'Service', codesOf: (store) => store.services, show: words },
} as const satisfies Readonly<
  Record<
    string,
    {
      readonly label: string;
      readonly codesOf: (store: StoreSummary) => readonly string[];
      readonly show: (code: string) => string;
    }
  >
>;

const filterNames = Object.keys(filters) as (keyof typeof filters)[];

const columns: readonly Column<StoreSummary>[] = [
  {
    label: 'Store',
    value: ({ name }) => name,
    show: ({ id, name }) => <a href={placeOf('store', id)}>{name}</a>,
  },
  { label: 'Code', value: ({ source_ids }) => source_ids.inventory_store_code },
  { label: 'City', value: ({ address }) => address.city },
  { label: 'Kind', value: ({ access_type }) => words(access_type) },
  { label: 'State', value: ({ operational_status }) => words(operational_status.state) },
  { label: 'Services', value: (store) => servicesText(store) || null },
  {
    label: 'Directory',
    value: ({ directory_presence }) => directory_presence && presenceWords[directory_presence.state],
  },
];

function FilteredStores({
  stores,
  query,
}: {
  readonly stores: readonly StoreSummary[];
  readonly query: URLSearchParams;
}) {
  const address = query.toString();
  const chosen = useMemo(
    () => stores.filter((store) => isChosen(store, new URLSearchParams(address))),
    [stores, address],
  );
  const places = useMemo(
    () =>
      chosen.map((store) =>
        placeOfStore(store, 'store', {
          note: `${store.address.city}, ${words(store.access_type)}`,
          href: placeOf('store', store.id),
        }),
      ),
    [chosen],
  );
  const change = (name: string, value: string) => {
    const next = Object.fromEntries(query);
    replaceQuery({ ...next, [name]: value });
  };
  return (
    <>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          Name or code
          <input
            type="search"
            value={query.get('q') ?? ''}
            onInput={({ currentTarget }) => change('q', currentTarget.value)}
          />
        </label>
        {filterNames.map((name) => {
          const { label, codesOf, show } = filters[name];
          return (
            <Choice
              key={name}
              label={label}
              any="all"
              options={choicesOf(stores, codesOf).map(({ code, count }) => [code, `${capital(show(code))} (${count})`])}
              value={query.get(name) ?? ''}
              onChange={(value) => change(name, value)}
            />
          );
        })}
        {address !== '' && (
          <button type="button" onClick={() => replaceQuery({})}>
            Clear
          </button>
        )}
      </form>
      <div class="with-map">
        <StoreMap places={places} label="the stores of the table" />
        <DataTable caption="Stores" columns={columns} rows={chosen} file="stores" keyOf={({ id }) => id} />
      </div>
    </>
  );
}

function isChosen(store: StoreSummary, query: URLSearchParams): boolean {
  const q = (query.get('q') ?? '').trim().toLowerCase();
  const names = [store.name, store.source_ids.inventory_store_code ?? ''];
  if (q !== '' && !names.some((name) => name.toLowerCase().includes(q))) return false;
  return filterNames.every((name) => {
    const wanted = query.get(name);
    const codes: readonly string[] = filters[name].codesOf(store);
    return wanted === null || codes.includes(wanted);
  });
}
