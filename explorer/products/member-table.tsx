import { useMemo } from 'preact/hooks';
import type { FamilyMember } from '../../contract/documents/catalog.ts';
import { perLitre } from '../../contract/per-litre.ts';
import { majorAmount } from '../app/site-profile.ts';
import { LimitTag } from '../stores/state-tag.tsx';
import { type Column, DataTable } from '../table/data-table.tsx';
import { countText, priceText } from '../text/text.ts';
import { tripColumn } from '../trip/trip-button.tsx';
import { fullName } from './product-index.ts';
import { named, ProductLink } from './product-link.tsx';

/** An amount as a number, for saved tables. */
const amount = (minor: number | null | undefined) =>
  minor === null || minor === undefined ? null : majorAmount(minor);

/**
 * The price per litre in minor units. The size of several containers is ambiguous (`6 x 355 mL`), so they have none.
 */
const litrePrice = ({ price, package_size: { milliliters, display, normalization_state } }: FamilyMember) =>
  normalization_state === 'normalized' && !/\d\s*[x×]\s*\d/i.test(display ?? '')
    ? perLitre(price?.amount_minor ?? null, milliliters)
    : null;

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
    if (limited === 0) return countText(stores);
    const limit = member.status.lifecycle === 'restricted' ? 'restricted' : 'not sold to everyone';
    return (
      <>
        {countText(stores)} <LimitTag>{limited === stores ? limit : `${countText(limited)} ${limit}`}</LimitTag>
      </>
    );
  },
  isNumber: true,
};

const columns: readonly Column<FamilyMember>[] = [
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
    value: (member) => amount(litrePrice(member)),
    show: (member) => priceText(litrePrice(member)),
    isNumber: true,
    isAmount: true,
    isMinor: true,
  },
  { label: 'Status', value: ({ status }) => status.label, isOptional: true, isMinor: true },
  storesColumn,
  { label: 'Relationship', value: ({ relationship_type }) => relationship_type, isOptional: true, isMinor: true },
  { label: 'Vintage', value: ({ vintage_year }) => vintage_year, isNumber: true, isOptional: true, isMinor: true },
  { label: 'Age', value: ({ age_statement }) => age_statement, isOptional: true, isMinor: true },
];

const productOf = (member: FamilyMember) => ({ sku: member.source_ids.agency_sku, name: fullName(member) });
const cheapest = columns.findIndex(({ label }) => label === 'Per litre');

/** The members of a family, lowest price per litre first. */
export function MemberTable({ members, file }: { readonly members: readonly FamilyMember[]; readonly file: string }) {
  const withTrip = useMemo(() => [...columns, ...tripColumn(productOf)], []);
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
