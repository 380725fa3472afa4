import { useMemo } from 'preact/hooks';
import type { Category } from '../../contract/schemas/category.ts';
import type { ChangeEvent } from '../../contract/schemas/change.ts';
import { WhenLoaded } from '../parts/states.tsx';
import { countNoun, countText } from '../parts/text.ts';
import { CategoryTree, categoryPath } from '../products/categories.tsx';
import { type ProductIndex, useProductIndex } from '../products/product-index.ts';
import { hrefFor } from '../site/router.ts';
import { useCategories } from '../site/stores-and-categories.ts';
import { ChangeTable } from './change-table.tsx';
import { mostEvents, useNewestEvents } from './use-watched.ts';
import type { WatchKind, WatchList } from './watch-list.ts';

/** A watched brand or category. `products`: the number of listed products; null if it is not published. */
type Group = {
  readonly kind: WatchKind;
  readonly code: string;
  readonly name: string;
  readonly href: string;
  readonly products: number | null;
  readonly has: (event: ChangeEvent) => boolean;
};

type Removing = { readonly onRemove: (kind: WatchKind, code: string) => void };

/** The brands and categories of a list, and what changed for their products in publications after a moment. */
export function GroupChanges({
  list,
  after,
  onRemove,
}: Removing & { readonly list: WatchList; readonly after: string }) {
  const index = useProductIndex();
  const categories = useCategories();
  const groups = useMemo(
    () => (index.value && categories.value ? watchedGroups(list, index.value, categories.value) : []),
    [index.value, categories.value, list.brands.join(), list.categories.join()],
  );
  return (
    <WhenLoaded loaded={index} what="the products">
      {() => (
        <WhenLoaded loaded={categories} what="the categories">
          {() => <Groups groups={groups} after={after} onRemove={onRemove} />}
        </WhenLoaded>
      )}
    </WhenLoaded>
  );
}

function Groups({ groups, after, onRemove }: Removing & { readonly groups: readonly Group[]; readonly after: string }) {
  const newest = useNewestEvents(after);
  const events = newest.value?.events.filter((event) => groups.some(({ has }) => has(event))) ?? [];
  return (
    <>
      <ul class="chosen">
        {groups.map(({ kind, code, name, href, products, has }) => (
          <li key={`${kind} ${code}`}>
            <span>
              {products === null ? <span class="bad">{name}: not published</span> : <a href={href}>{name}</a>}
              {products !== null && (
                <span class="muted">
                  {' '}
                  {countNoun(products, 'product')} listed
                  {newest.value &&
                    `, ${newest.value.isAll ? '' : 'at least '}${countNoun(newest.value.events.filter(has).length, 'change')}`}
                </span>
              )}
            </span>
            <button type="button" class="small" aria-label={`Remove ${name}`} onClick={() => onRemove(kind, code)}>
              Remove
            </button>
          </li>
        ))}
      </ul>
      <WhenLoaded loaded={newest} what="the changes">
        {({ isAll }) => (
          <>
            {!isAll && (
              <p class="note" role="status">
                There were too many changes to search them all: only the newest {countText(mostEvents)} of all products
                count here.
              </p>
            )}
            {events.length > 0 && (
              <ChangeTable events={events} file="watched-brands-and-categories" isByEvent={!isAll} />
            )}
            <p class="muted">
              Includes changes in prices, status, catalog listings and names, but not in what stores report
              {groups.some(({ kind }) => kind === 'categories') &&
                '. Categories include only products that are listed now'}
              .
            </p>
          </>
        )}
      </WhenLoaded>
    </>
  );
}

function watchedGroups(list: WatchList, index: ProductIndex, categories: readonly Category[]): Group[] {
  const tree = new CategoryTree(categories);
  const { columns } = index.document;
  const brands = list.brands.map((code): Group => {
    const position = index.document.brands.findIndex(({ slug }) => slug === code);
    const name = index.document.brands[position]?.name;
    return {
      ...{ kind: 'brands', code, name: name ?? code, href: hrefFor('brand', code) },
      products: name === undefined ? null : columns.brand.filter((brand) => brand === position).length,
      has: ({ product }) => name !== undefined && product.brand === name,
    };
  });
  const filed = list.categories.map((code): Group => {
    const position = tree.positionOf(code);
    const within = new Set(
      tree.categories.slice(Math.max(0, position), position < 0 ? 0 : tree.ends[position]).map(({ id }) => id),
    );
    const isWithin = (product: number) => within.has(index.document.categories[columns.category[product] ?? -1] ?? '');
    return {
      ...{ kind: 'categories', code, href: hrefFor('browse', '', { category: code }) },
      name: position < 0 ? code : categoryPath(categories, code),
      products: position < 0 ? null : columns.sku.filter((_, product) => isWithin(product)).length,
      has: ({ product }) => isWithin(index.positionOf(product.source_ids.agency_sku)),
    };
  });
  return [...brands, ...filed];
}
