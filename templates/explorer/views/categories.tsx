import { useMemo } from 'preact/hooks';
import type { FamilyRow } from '../../../generator/contract/documents/curation.ts';
import { placeOf } from '../app/router.ts';
import { useLoaded, useSession } from '../app/session.ts';
import { CategoryTree } from '../browse/category-tree.ts';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Page } from '../components/page.tsx';
import { Failed, WhenLoaded } from '../components/states.tsx';
import { countOf, countText } from '../components/text.ts';

/** The tree of categories with what is filed under each. */
export function Categories() {
  const { site } = useSession();
  const loaded = useLoaded('categories', async (site, signal) => {
    const { data } = await site.categories({ signal });
    return new CategoryTree(data);
  });
  const families = useLoaded('families', (site, signal) =>
    site.families({}, { signal }).take(Number.POSITIVE_INFINITY),
  );
  return (
    <Page
      title="Categories"
      lead="Each category stands below the one that it belongs to. Counts are of products that the catalog lists, and of families that have a member there."
      sources={[
        { label: 'Categories', url: site.addressOf('categories') },
        { label: 'Families', url: site.addressOf('families') },
      ]}
    >
      {families.state === 'failed' && <Failed error={families.error} />}
      <WhenLoaded loaded={loaded} what="the categories">
        {(tree) => <Tree tree={tree} families={families.value} />}
      </WhenLoaded>
    </Page>
  );
}

function Tree({ tree, families }: { readonly tree: CategoryTree; readonly families: readonly FamilyRow[] | null }) {
  const rows = useMemo(() => tree.categories.map((_, position) => position), [tree]);
  const columns = useMemo(() => columnsOf(tree, families), [tree, families]);
  const active = tree.categories.filter(({ active }) => active).length;
  return (
    <>
      <p class="muted">{countOf(active, 'category is', 'categories are')} active.</p>
      <DataTable caption="Categories" columns={columns} rows={rows} file="categories" keyOf={(position) => position} />
    </>
  );
}

function columnsOf(tree: CategoryTree, families: readonly FamilyRow[] | null): readonly Column<number>[] {
  const { categories, depths } = tree;
  const familyCounts = families && familyCountsOf(tree, families);
  const numbers = (label: string, value: (position: number) => number | null): Column<number> => ({
    label,
    value,
    show: (position) => {
      const count = value(position);
      return count === null ? '…' : countText(count);
    },
    isNumber: true,
  });
  return [
    {
      label: 'Category',
      value: (position) => categories[position]?.name ?? null,
      // The own order of the rows is that of the tree.
      rank: (position) => position,
      show: (position) => {
        const { id = '', name, active } = categories[position] ?? {};
        return (
          <span style={{ paddingInlineStart: `${(depths[position] ?? 0) * 1.25}rem` }}>
            <a href={placeOf('browse', '', { category: id })}>{name}</a>{' '}
            {active === false && <span class="tag">not active</span>}
          </span>
        );
      },
      width: 40,
    },
    numbers('Products', (position) => categories[position]?.product_count ?? 0),
    numbers('Products with all below', (position) => categories[position]?.total_product_count ?? 0),
    numbers('Families with all below', (position) => familyCounts && (familyCounts[position] ?? 0)),
  ];
}

/** The families with a member in each category or below it. */
function familyCountsOf(tree: CategoryTree, families: readonly FamilyRow[]): number[] {
  const own = families.map(({ category_ids }) => category_ids.map((id) => tree.positionOf(id)));
  return tree.ends.map((end, first) => own.filter((places) => places.some((at) => at >= first && at < end)).length);
}
