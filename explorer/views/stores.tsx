import { useMemo } from 'preact/hooks';
import type { StoreSummary } from '../../contract/schemas/store.ts';
import { StoreMap } from '../map/store-map.tsx';
import { Choice } from '../parts/choice.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { type FilterInUse, FilterRow } from '../parts/filter-row.tsx';
import { useHighlight } from '../parts/highlight.ts';
import { Share } from '../parts/share.tsx';
import { WhenLoaded } from '../parts/states.tsx';
import type { Column } from '../parts/table-columns.ts';
import { capital, words } from '../parts/text.ts';
import { ViewFrame } from '../parts/view-frame.tsx';
import { hrefFor, replaceQuery, type ViewProps } from '../site/router.ts';
import { useSession } from '../site/session.ts';
import { useStores } from '../site/stores-and-categories.ts';
import { distanceTo } from '../stores/gazetteer.ts';
import { PlaceField } from '../stores/place-field.tsx';
import { distanceColumn } from '../stores/store-columns.tsx';
import { accessText, countCodes, presenceWords, servicesText, storePlace } from '../stores/store-words.ts';
import { useNear } from '../stores/use-near.ts';

/** All stores of the publication, as a table and on a map. The filters are in the address. */
export function Stores({ query }: ViewProps) {
  const { site } = useSession();
  const stores = useStores();
  return (
    <ViewFrame
      title="Stores"
      lead="Every store of this publication, as the agency’s directory lists it."
      share={<Share />}
      sources={[{ label: 'Stores, first page', url: site.addressOf('stores') }]}
    >
      <WhenLoaded loaded={stores} what="the stores">
        {(rows) => <FilteredStores stores={rows} query={query} />}
      </WhenLoaded>
    </ViewFrame>
  );
}

/** The filters by name in the address, and the store's values that they compare. */
const filters = {
  city: { label: 'City', storeCodes: (store) => [store.address.city], show: (city) => city },
  access: { label: 'Kind', storeCodes: (store) => [store.access_type], show: accessText },
  state: { label: 'Status', storeCodes: (store) => [store.operational_status.state], show: words },
  service: { label: 'Service', storeCodes: (store) => store.services, show: words },
} as const satisfies Readonly<
  Record<
    string,
    {
      readonly label: string;
      readonly storeCodes: (store: StoreSummary) => readonly string[];
      readonly show: (code: string) => string;
    }
  >
>;

const wordsLabel = 'Name or code';

const storeFilterNames = Object.keys(filters) as (keyof typeof filters)[];

type Row = { readonly store: StoreSummary; readonly distance: number | null };

const columns: readonly Column<Row>[] = [
  {
    label: 'Store',
    value: ({ store }) => store.name,
    show: ({ store }) => (
      <span class="product-line">
        <a href={hrefFor('store', store.id)}>{store.name}</a>{' '}
        <span class="muted">
          {store.address.city}, {accessText(store.access_type)}
        </span>
      </span>
    ),
  },
  distanceColumn(({ distance }) => distance),
  { label: 'City', value: ({ store }) => store.address.city, isOnlySaved: true },
  { label: 'Kind', value: ({ store }) => accessText(store.access_type), isOnlySaved: true },
  { label: 'Status', value: ({ store }) => words(store.operational_status.state), isOptional: true },
  {
    label: 'Directory',
    value: ({ store: { directory_presence: presence } }) => presence && presenceWords[presence.state],
    isOptional: true,
    isMinor: true,
  },
  { label: 'Services', value: ({ store }) => servicesText(store) || null, isOptional: true, isMinor: true },
  { label: 'Code', value: ({ store }) => store.source_ids.inventory_store_code, isMinor: true },
];

function FilteredStores({
  stores,
  query,
}: {
  readonly stores: readonly StoreSummary[];
  readonly query: URLSearchParams;
}) {
  const address = query.toString();
  const near = useNear(query, stores);
  const here = near.place;
  const chosen = useMemo(() => {
    const rows = stores
      .filter((store) => isChosen(store, new URLSearchParams(address)))
      .map((store): Row => ({ store, distance: distanceTo(here, store) }));
    return here === null ? rows : rows.sort((a, b) => (a.distance ?? Infinity) - (b.distance ?? Infinity));
  }, [stores, address, here]);
  const places = useMemo(
    () =>
      chosen.map(({ store }) =>
        storePlace(store, 'store', {
          note: `${store.address.city}, ${accessText(store.access_type)}`,
          href: hrefFor('store', store.id),
        }),
      ),
    [chosen],
  );
  const highlight = useHighlight();
  const isFiltered = query.has('q') || storeFilterNames.some((name) => query.has(name));
  const change = (name: string, value: string) => {
    const next = Object.fromEntries(query);
    replaceQuery({ ...next, [name]: value });
  };
  const words = query.get('q') ?? '';
  const inUse: FilterInUse[] = [
    ...(words === '' ? [] : [{ label: wordsLabel, text: words, clear: () => change('q', '') }]),
    ...storeFilterNames.flatMap((name) => {
      const code = query.get(name) ?? '';
      const { label, show } = filters[name];
      return code === '' ? [] : [{ label, text: capital(show(code as never)), clear: () => change(name, '') }];
    }),
    ...(here ? [{ label: 'Near', text: here.name, clear: () => near.choose('') }] : []),
  ];
  return (
    <>
      <FilterRow
        used={storeFilterNames.filter((name) => query.has(name)).length}
        inUse={inUse}
        onClear={isFiltered ? () => replaceQuery({ near: near.text }) : null}
        first={
          <label class="wide">
            {wordsLabel}
            <input
              type="search"
              value={query.get('q') ?? ''}
              onInput={({ currentTarget }) => change('q', currentTarget.value)}
            />
          </label>
        }
      >
        {storeFilterNames.map((name) => {
          const { label, storeCodes, show } = filters[name];
          return (
            <Choice
              key={name}
              label={label}
              any="All"
              options={countCodes(stores, storeCodes).map(({ code, count }) => [
                code,
                `${capital(show(code))} (${count})`,
              ])}
              value={query.get(name) ?? ''}
              onChange={(value) => change(name, value)}
            />
          );
        })}
      </FilterRow>
      <PlaceField near={near} />
      {here && <p class="muted">Nearest first, in a straight line.</p>}
      <div class="with-map">
        <StoreMap places={places} label="the stores in the table" origin={here} highlight={highlight} />
        <DataTable
          caption="Stores"
          columns={columns}
          rows={chosen}
          file="stores"
          rowKey={({ store }) => store.id}
          highlight={highlight}
        />
      </div>
    </>
  );
}

function isChosen(store: StoreSummary, query: URLSearchParams): boolean {
  const q = (query.get('q') ?? '').trim().toLowerCase();
  const names = [store.name, store.source_ids.inventory_store_code ?? ''];
  if (q !== '' && !names.some((name) => name.toLowerCase().includes(q))) return false;
  return storeFilterNames.every((name) => {
    const wanted = query.get(name);
    const codes: readonly string[] = filters[name].storeCodes(store);
    return wanted === null || codes.includes(wanted);
  });
}
