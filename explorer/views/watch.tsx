import { useEffect, useMemo, useState } from 'preact/hooks';
import { parseList, unusedListParts } from '../changes/asked-list.ts';
import {
  changeList,
  forgetList,
  type Kept,
  keptList,
  noteVisit,
  setPageList,
  useLists,
  type Visit,
} from '../changes/kept-list.ts';
import { useWatched, type WatchedProduct } from '../changes/use-watched.ts';
import { formatList, joinedLists, listSize, mostWatched, toggled, type WatchList } from '../changes/watch-list.ts';
import { changesSince } from '../changes/watched-changes.ts';
import { GroupChanges } from '../changes/watched-groups.tsx';
import { ProductTable } from '../changes/watched-products.tsx';
import { Share } from '../parts/share.tsx';
import { WhenLoaded } from '../parts/states.tsx';
import { countNoun, dateText } from '../parts/text.ts';
import { UnusedParts } from '../parts/unused-parts.tsx';
import { ViewFrame } from '../parts/view-frame.tsx';
import { ChosenProducts } from '../products/chosen-products.tsx';
import { PricesLink } from '../products/prices-link.tsx';
import { named, ProductLink } from '../products/product-link.tsx';
import { fullUrl, hrefFor, replaceQuery, type ViewProps } from '../site/router.ts';
import { useSession } from '../site/session.ts';
import { hasStores } from '../site/site-profile.ts';

/** How many days before the publication to show, if no earlier visit is known. */
const usualDays = 30;

/**
 * What a reader watches, and what changed since the last visit. The list comes from the address, or else from the
 * device, or else from this page.
 */
export function Watch({ query }: ViewProps) {
  const { site, metadata } = useSession();
  const { sequence, published_at } = metadata.data.publication;
  const { list: current, kept } = useLists();
  const asked = parseList(query);
  const list = asked ?? current;
  // Only a list on the device has an earlier visit.
  const before = asked === null ? (kept?.before ?? null) : null;
  const products = useWatched(list.skus);
  const change = (next: WatchList) => {
    if (asked === null) changeList(next, { sequence, published_at });
    else replaceQuery(formatList(next));
  };
  const isOwn = asked === null && kept !== null;
  useEffect(() => {
    if (isOwn) noteVisit({ sequence, published_at });
  }, [isOwn]);
  // Stars in other views add to a list that came with a link, unless the device has a list.
  const isOfPage = asked !== null && kept === null;
  useEffect(() => {
    if (isOfPage) setPageList(list);
  }, [isOfPage, JSON.stringify(list)]);
  const from = changesFrom(before, published_at);
  const groups = list.brands.length + list.categories.length;
  return (
    <ViewFrame
      title="Watch"
      lead={`What changed for the products${groups > 0 ? ', brands and categories' : ''} that you watch. A lower reported quantity is a change in the report and says nothing about sales.`}
      share={listSize(list) > 0 && <Share link={fullUrl(hrefFor('watch', '', formatList(list)))} />}
      sources={(products.value ?? []).flatMap(({ series }) =>
        series === null
          ? []
          : [
              {
                label: `${series.product.name} over time`,
                url: site.addressOf('product_series', { product_id: series.product.id }),
              },
            ],
      )}
    >
      <UnusedParts parts={unusedListParts(query)} />
      {listSize(list) > 0 && <Keeping list={list} kept={kept} isOfAddress={asked !== null} />}
      {listSize(list) > 0 && (
        <p role="status">
          {before === null
            ? `Changes in the ${usualDays} days before this publication, since ${dateText(from)}.${isOwn ? ' From the next publication on, you will see the changes since your last visit.' : ''}`
            : `Changes since your last visit, when you saw the publication of ${dateText(before.published_at)}.`}
        </p>
      )}
      {list.skus.length > 0 && (
        <WhenLoaded loaded={products} what="the products">
          {(found) => <Changed products={found} skus={list.skus} before={before} from={from} />}
        </WhenLoaded>
      )}
      <PricesLink skus={(products.value ?? []).flatMap(({ sku, series }) => (series === null ? [] : [sku]))} />
      {groups > 0 && (
        <>
          <h2>Brands and categories</h2>
          <GroupChanges list={list} after={from} onRemove={(kind, code) => change(toggled(list, kind, code))} />
        </>
      )}
      <ChosenProducts
        title="Products on the list"
        what="A list"
        skus={list.skus}
        most={mostWatched.skus}
        show={(sku) => <Listed sku={sku} products={products.value ?? []} />}
        onChange={(skus) => change({ ...list, skus })}
      />
    </ViewFrame>
  );
}

/** The moment since which changes are shown: the last visit, or some days before the publication. */
function changesFrom(before: Visit | null, publishedAt: string): string {
  return before?.published_at ?? new Date(Date.parse(publishedAt) - usualDays * 86_400_000).toISOString();
}

function isBefore(instant: string, other: string): boolean {
  return Date.parse(instant) < Date.parse(other);
}

/** Says where the list is kept, and lets the reader keep it on the device or stop that. */
function Keeping({
  list,
  kept,
  isOfAddress,
}: {
  readonly list: WatchList;
  readonly kept: Kept | null;
  readonly isOfAddress: boolean;
}) {
  const { sequence, published_at } = useSession().metadata.data.publication;
  const [isRefused, setRefused] = useState(false);
  const keep = () => {
    changeList(list, { sequence, published_at });
    if (keptList() === null) setRefused(true);
    else replaceQuery({});
  };
  const forget = () => {
    forgetList();
    replaceQuery(formatList(list));
  };
  const ownLink = <a href={hrefFor('watch', '', formatList(list))}>Link to this list</a>;
  if (kept === null)
    return (
      <div class="keeping">
        <button type="button" onClick={keep}>
          Keep this list on this device
        </button>{' '}
        <span class="muted">
          {isRefused
            ? 'Your browser does not allow this site to keep anything.'
            : isOfAddress
              ? 'The list is in this address. Nothing is stored until you do.'
              : 'It is lost when you close or reload this page.'}
        </span>
        {!isOfAddress && <> {ownLink}</>}
      </div>
    );
  if (!isOfAddress)
    return (
      <div class="keeping">
        Kept on this device only. {ownLink}{' '}
        <button type="button" class="small" onClick={forget}>
          Stop keeping it
        </button>
      </div>
    );
  return (
    <div class="keeping">
      This list came with a link. <a href={hrefFor('watch')}>Your own list</a> has{' '}
      {countNoun(listSize(kept.list), 'entry', 'entries')}.{' '}
      <button
        type="button"
        class="small"
        onClick={() => {
          changeList(joinedLists(kept.list, list), { sequence, published_at });
          replaceQuery({});
        }}
      >
        Add these to it
      </button>
    </div>
  );
}

function Changed({
  products,
  skus,
  before,
  from,
}: {
  readonly products: readonly WatchedProduct[];
  readonly skus: readonly string[];
  readonly before: Visit | null;
  readonly from: string;
}) {
  const rows = useMemo(
    () =>
      products.flatMap(({ sku, size, series }) => {
        if (series === null || !skus.includes(sku)) return [];
        const isKnown = (publication: number, at: string) =>
          before === null ? isBefore(at, from) : publication <= before.sequence;
        return [{ sku, size, series, changes: changesSince(series, isKnown) }];
      }),
    [products, skus.join(), before?.sequence, from],
  );
  if (rows.length === 0) return null;
  return (
    <>
      <ProductTable rows={rows} />
      {hasStores() && <p class="muted">What stores report includes stores that have closed or retired since.</p>}
    </>
  );
}

/** A product of the list, by name once it is loaded. */
function Listed({ sku, products }: { readonly sku: string; readonly products: readonly WatchedProduct[] }) {
  const found = products.find((product) => product.sku === sku);
  if (found === undefined) return <span class="muted">{sku}</span>;
  if (found.series === null) return <span class="bad">{sku}: no published product has this SKU</span>;
  return (
    <span>
      <ProductLink product={named(found.series.product)} />{' '}
      <span class="muted">{[found.size, `SKU ${sku}`].filter(Boolean).join(' · ')}</span>
    </span>
  );
}
