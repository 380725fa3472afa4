import { useRef } from 'preact/hooks';
import type { Site } from '../../../client/open-site.ts';
import type { SearchHit, SearchKind } from '../../../generator/contract/documents/catalog.ts';
import { useAddressQuery } from '../app/address-query.ts';
import { placeOf, type ViewProps } from '../app/router.ts';
import { useLoaded, useSession } from '../app/session.ts';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Page } from '../components/page.tsx';
import { ProductLink } from '../components/product.tsx';
import { type ProductColumn, productColumns } from '../components/product-columns.tsx';
import { fullName, type ProductIndex, useProductIndex } from '../components/product-index.ts';
import { hasStores } from '../components/site-profile.ts';
import { Failed } from '../components/states.tsx';
import { Tabs } from '../components/tabs.tsx';
import { countOf } from '../components/text.ts';
import { unusedCodes } from '../components/unused-part.ts';
import { UnusedParts } from '../components/unused-parts.tsx';
import { meantBy } from '../search/did-you-mean.ts';

const kindLabels: Readonly<Record<SearchKind, string>> = {
  product: 'Products',
  product_family: 'Families',
  brand: 'Brands',
  store: 'Stores',
};
const allKinds = Object.keys(kindLabels) as SearchKind[];
/** As many as one answer can have. */
const limit = 100;

/** The hits of a kind. `counts`: how many there are of each kind; null where one answer does not say it. */
type Found = {
  readonly counts: Counts | null;
  readonly kind: SearchKind;
  readonly hits: readonly SearchHit[];
};
type Counts = Readonly<Record<SearchKind, number>>;

/** Products, families, brands and stores by the words of their names, a kind at a time. */
export function Search({ query }: ViewProps) {
  const { site } = useSession();
  const [fields, change] = useAddressQuery('search', ['q', 'kinds'], query);
  // The address follows the form after a pause, so only what the reader meant to type is asked.
  const q = (query.get('q') ?? '').trim();
  const kinds = query.get('kinds') ?? '';
  const wanted = allKinds.find((kind) => kinds.split(',').includes(kind)) ?? null;
  const loaded = useLoaded(q === '' ? null : `${q} ${wanted}`, (site, signal) => find(site, q, wanted, signal));
  const host = useLoaded('computes', (site, signal) => site.computes({ signal }));
  const last = useRef(loaded.value);
  last.current = q === '' ? null : (loaded.value ?? last.current);
  const found = last.current;
  // The hits come first.
  const index = useProductIndex(found !== null).value;
  const isPartial = loaded.value !== null && loaded.value.counts === null;
  const counted = useLoaded(isPartial ? q : null, (site, signal) => count(site, q, signal));
  const counts = found?.counts ?? counted.value;
  const question = { q, limit, ...(found && { kinds: [found.kind] }) };
  return (
    <Page
      title="Search"
      sources={
        q === ''
          ? []
          : [
              ...(host.value ? [{ label: 'These hits', url: site.addressOf('search', {}, question) }] : []),
              { label: 'Everything that can be found', url: site.addressOf('search_index') },
            ]
      }
    >
      <search class="controls">
        <label class="search-words">
          Words of a name, or a SKU
          <input
            type="search"
            value={fields.q}
            maxLength={200}
            onInput={(event) => change({ q: event.currentTarget.value })}
          />
        </label>
      </search>
      <UnusedParts of={unusedCodes('kinds', kinds, allKinds, `some of ${allKinds.join(', ')}`)} />
      {found && (
        <Tabs
          label="Kinds of hits"
          tabs={allKinds
            .filter((kind) => hasStores() || kind !== 'store')
            .map((kind) => ({
              label: kindLabels[kind],
              href: placeOf('search', '', { q, kinds: kind }),
              isCurrent: kind === found.kind,
              count: counts?.[kind] ?? null,
            }))}
        />
      )}
      <p class={loaded.state === 'loading' && q !== '' && !found ? 'muted loading' : 'muted'} role="status">
        {q === ''
          ? 'Type words in any order. The last one may be the beginning of a word.'
          : loaded.state === 'loading'
            ? host.value === false
              ? 'Searching… This host only sends files, so the index of all names is loaded first.'
              : 'Searching…'
            : loaded.value && countFound(loaded.value, counts)}
      </p>
      {q !== '' && loaded.state === 'failed' && <Failed error={loaded.error} />}
      {loaded.value?.hits.length === 0 && index && <DidYouMean q={q} index={index} />}
      {found && found.hits.length > 0 && (
        <div aria-busy={loaded.state === 'loading'}>
          <Hits found={found} index={index} />
        </div>
      )}
    </Page>
  );
}

/** The hits of a kind: the one that is wanted, or else the first that has any. */
async function find(site: Site, q: string, wanted: SearchKind | null, signal: AbortSignal): Promise<Found> {
  const likely = wanted ?? 'product';
  // Both at once: what is asked for is seldom of another kind, and often more than one answer can have.
  const [{ data, meta }, ofLikely] = await Promise.all([
    site.search({ q, limit }, { signal }),
    site.search({ q, kinds: [likely], limit }, { signal }),
  ]);
  const kind = wanted ?? allKinds.find((kind) => data.some((hit) => hit.kind === kind)) ?? 'product';
  const hits = data.filter((hit) => hit.kind === kind);
  if (meta.total <= limit)
    return { counts: countsOf((kind) => data.filter((hit) => hit.kind === kind).length), kind, hits };
  const { data: best } = kind === likely ? ofLikely : await site.search({ q, kinds: [kind], limit }, { signal });
  return { counts: null, kind, hits: best };
}

/** How many hits of each kind there are where they are more than an answer can have. */
async function count(site: Site, q: string, signal: AbortSignal): Promise<Counts> {
  const answers = await Promise.all(allKinds.map((kind) => site.search({ q, kinds: [kind], limit: 1 }, { signal })));
  return countsOf((kind) => answers[allKinds.indexOf(kind)]?.meta.total ?? 0);
}

function countsOf(of: (kind: SearchKind) => number): Counts {
  return Object.fromEntries(allKinds.map((kind) => [kind, of(kind)])) as Counts;
}

function countFound({ kind, hits }: Found, counts: Counts | null): string {
  const total = counts?.[kind] ?? hits.length;
  if (counts === null && hits.length === limit) return `The best ${limit} hits.`;
  return total > hits.length
    ? `${countOf(total, 'hit')}; the best ${hits.length} are here.`
    : `${countOf(total, 'hit')}.`;
}

function DidYouMean({ q, index }: { readonly q: string; readonly index: ProductIndex }) {
  const meant = meantBy(q, index);
  if (meant === null) return null;
  return (
    <p>
      Did you mean <a href={placeOf('search', '', { q: meant })}>{meant}</a>?
    </p>
  );
}

const shown = () => ['size', 'price', 'litre', hasStores() ? 'stores' : 'quantity', 'sku', 'retrieved'];

/** The hits of a kind as a table. A product's facts are there once the index of all products is. */
function Hits({ found: { kind, hits }, index }: { readonly found: Found; readonly index: ProductIndex | null }) {
  const facts = kind === 'product' && index ? productColumns(index).filter(({ name }) => shown().includes(name)) : [];
  const at = (hit: SearchHit) => (hit.kind === 'product' ? (index?.positionOf(hit.agency_sku) ?? -1) : -1);
  const ofHit = ({ name: _, value, rank, show, ...column }: ProductColumn): Column<SearchHit> => ({
    ...column,
    value: (hit) => value(at(hit)),
    ...(rank && { rank: (hit: SearchHit) => rank(at(hit)) }),
    ...(show && { show: (hit: SearchHit) => show(at(hit)) }),
  });
  const columns: readonly Column<SearchHit>[] = [
    {
      label: kindLabels[kind].replace(/ies$/, 'y').replace(/s$/, ''),
      value: (hit) => (kind === 'brand' ? hit.name : fullName(hit)),
      show: (hit) =>
        hit.kind === 'product' ? (
          <ProductLink product={{ ...hit, sku: hit.agency_sku }} />
        ) : (
          <a href={placeOfHit(hit)}>{fullName(hit)}</a>
        ),
      width: 38,
    },
    ...facts.map(ofHit),
  ];
  return <DataTable caption="Hits" columns={columns} rows={hits} file="hits" keyOf={({ id }) => id} />;
}

function placeOfHit(hit: Exclude<SearchHit, { kind: 'product' }>): string {
  return hit.kind === 'product_family' ? placeOf('family', hit.id) : placeOf(hit.kind, hit.id);
}
