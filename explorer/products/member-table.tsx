import { useMemo } from 'preact/hooks';
import type { FamilyMember } from '../../contract/schemas/family.ts';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/table-columns.ts';
import { countText, priceText } from '../parts/text.ts';
import { majorAmount } from '../site/site-profile.ts';
import { checkedStores, LimitTag, reportedOf } from '../stores/report-words.tsx';
import { fullName, type ProductIndex } from './product-index.ts';
import { named, ProductLink } from './product-link.tsx';
import { tripColumn } from './trip-button.tsx';

/** An amount as a number, for saved tables. */
const amount = (minor: number | null | undefined) =>
  minor === null || minor === undefined ? null : majorAmount(minor);

/** The number of stores that report a member; null if it was never checked. */
const reportingStores = ({ inventory_retrieved_at: retrieved, availability_summary: summary }: FamilyMember) =>
  retrieved === null ? null : summary.reported_positive_store_count;

const storesColumn: Column<FamilyMember> = {
  label: 'Stores that report it',
  value: reportingStores,
  show: (member) => {
    const stores = reportingStores(member);
    if (stores === null) return 'not checked';
    const limited = stores - member.availability_summary.eligible_positive_store_count;
    const reported = reportedOf(stores, checkedStores(member.availability_summary));
    if (limited === 0) return reported;
    const limit = member.status.lifecycle === 'restricted' ? 'restricted' : 'not sold to everyone';
    return (
      <>
        {reported} <LimitTag>{limited === stores ? limit : `${countText(limited)} ${limit}`}</LimitTag>
      </>
    );
  },
  isNumber: true,
};

const checkedColumn: Column<FamilyMember> = {
  label: 'Stores checked',
  value: ({ availability_summary: summary }) => checkedStores(summary),
  isNumber: true,
  isOnlySaved: true,
};

const columnsWith = (index: ProductIndex): readonly Column<FamilyMember>[] => [
  {
    label: 'Product',
    value: fullName,
    // Most members of a family have the same name.
    show: (member) => <ProductLink product={named(member)} size={member.package_size.display} />,
  },
  { label: 'SKU', value: ({ source_ids }) => source_ids.agency_sku, isMinor: true },
  {
    label: 'Package',
    value: ({ package_size }) => package_size.milliliters,
    unit: 'mL',
    isNumber: true,
    isOnlySaved: true,
  },
  {
    label: 'Price',
    value: ({ price }) => amount(price?.amount_minor),
    show: ({ price }) => priceText(price?.amount_minor ?? null),
    isNumber: true,
    isAmount: true,
  },
  {
    label: 'Per litre',
    value: ({ source_ids }) => amount(index.litre(index.positionOf(source_ids.agency_sku))),
    show: ({ source_ids }) => priceText(index.litre(index.positionOf(source_ids.agency_sku))),
    isNumber: true,
    isAmount: true,
    isMinor: true,
  },
  { label: 'Status', value: ({ status }) => status.label, isOptional: true, isMinor: true },
  storesColumn,
  checkedColumn,
  { label: 'Relationship', value: ({ relationship_type }) => relationship_type, isOptional: true, isMinor: true },
  { label: 'Vintage', value: ({ vintage_year }) => vintage_year, isNumber: true, isOptional: true, isMinor: true },
  { label: 'Age', value: ({ age_statement }) => age_statement, isOptional: true, isMinor: true },
];

const productOf = (member: FamilyMember) => ({ sku: member.source_ids.agency_sku, name: fullName(member) });

/** The members of a family, lowest price per litre first. `index`: needed for the volume of a whole package. */
export function MemberTable({
  members,
  index,
  file,
}: {
  readonly members: readonly FamilyMember[];
  readonly index: ProductIndex;
  readonly file: string;
}) {
  const columns = useMemo(() => columnsWith(index), [index]);
  const cheapest = columns.findIndex(({ label }) => label === 'Per litre');
  const withTrip = useMemo(() => [...columns, ...tripColumn(productOf)], [columns]);
  return (
    <DataTable
      caption="Members of the family"
      file={file}
      columns={withTrip}
      rows={members}
      order={{ column: cheapest, isDescending: false }}
      rowKey={({ id }) => id}
    />
  );
}
