import { Fragment } from 'preact';
import type { FamilyDocument } from '../../contract/schemas/family.ts';
import { ChangeTable } from '../changes/change-table.tsx';
import { productTypes } from '../changes/change-text.ts';
import { readWholePublications } from '../changes/whole-publications.ts';
import { WhenLoaded } from '../parts/states.tsx';
import { countNoun, countText, instantText, rangeText } from '../parts/text.ts';
import { ViewFrame } from '../parts/view-frame.tsx';
import { WarningList } from '../parts/warning-list.tsx';
import { CategoryFacts } from '../products/categories.tsx';
import { MemberTable } from '../products/member-table.tsx';
import { PricesLink } from '../products/prices-link.tsx';
import { fullName, useProductIndex } from '../products/product-index.ts';
import { hrefFor, type ViewProps } from '../site/router.ts';
import { useLoaded, useSession } from '../site/session.ts';
import { agencyLanguage } from '../site/site-profile.ts';

/** The fewest latest changes, unless there are no more. */
const latestEvents = 20;

/** Products that are the same in other sizes or kinds. `argument`: the family's id. */
export function Family({ argument }: ViewProps) {
  const { site } = useSession();
  const loaded = useLoaded(argument, (site, signal) => site.family.byId(argument, { signal }));
  const family = loaded.value?.data;
  const id = { family_id: argument };
  return (
    <ViewFrame
      title={family ? fullName(family) : 'Family'}
      language={family && agencyLanguage()}
      lead={
        family && (
          <>
            A family of <a href={hrefFor('brand', family.brand_id)}>{family.brand}</a>
          </>
        )
      }
      sources={
        family
          ? [
              { label: 'Family', url: site.addressOf('family', id) },
              { label: 'Changes', url: site.addressOf('family_changes', id) },
            ]
          : []
      }
    >
      <WhenLoaded
        loaded={loaded}
        what="the family"
        missing={
          <p>
            There is no family with this id. <a href={hrefFor('browse')}>All products</a>
          </p>
        }
      >
        {(document) => <FamilyContent document={document} />}
      </WhenLoaded>
    </ViewFrame>
  );
}

function FamilyContent({ document }: { readonly document: FamilyDocument }) {
  const { data: family, meta } = document;
  const { observed_history: history, inventory_retrieved_at: retrieved } = family;
  const index = useProductIndex();
  const changes = useLoaded(family.id, (site, signal) =>
    readWholePublications(site.familyChanges(family.id, { types: [...productTypes] }, { signal }), latestEvents),
  );
  return (
    <>
      <ul class="cards">
        <li class="card">
          <b>{countText(family.member_count)}</b> {family.member_count === 1 ? 'member' : 'members'}
        </li>
        <li class="card">
          <b>{rangeText(family.price_range)}</b> price
        </li>
        <li class="card">
          <b>{retrieved === null ? '–' : countText(history.members_reporting_stock)}</b> members that stores report
        </li>
        <li class="card">
          <b>{countText(history.recent_change_count_30d)}</b> changes retrieved in the last 30 days
        </li>
      </ul>
      <WarningList warnings={meta.warnings} />
      <h2>Members</h2>
      <WhenLoaded loaded={index} what="the members">
        {(index) => <MemberTable members={family.members} index={index} file={family.slug} />}
      </WhenLoaded>
      <PricesLink skus={family.members.map(({ source_ids }) => source_ids.agency_sku)} />
      <h2>What was observed</h2>
      <ObservedFacts family={family} />
      <h2>Latest changes</h2>
      <WhenLoaded loaded={changes} what="the changes">
        {({ events }) => <ChangeTable events={events} file={`${family.slug}-changes`} />}
      </WhenLoaded>
    </>
  );
}

function ObservedFacts({ family }: { readonly family: FamilyDocument['data'] }) {
  const { observed_history: history, inventory_retrieved_at: retrieved } = family;
  const facts: readonly (readonly [string, string])[] = [
    ['First observed', instantText(history.earliest_observed_at)],
    ['Last observed', instantText(history.latest_observed_at)],
    ['Last price change', timeText(history.last_price_change_at)],
    ['Last quantity change', timeText(history.last_inventory_change_at)],
    ['Last reported', timeText(history.last_reported_positive_at)],
    ['Prices observed', rangeText(history.observed_price)],
    [
      'Reported now',
      retrieved === null
        ? 'Not checked'
        : countNoun(
            history.positive_store_product_pairs,
            'pair of a member and a store',
            'pairs of a member and a store',
          ),
    ],
    ['Changes kept', `${countText(history.retained_change_count)}, for ${countNoun(history.retention_days, 'day')}`],
    ['Observed since', instantText(history.tracking_started_at)],
  ];
  return (
    <dl class="facts">
      <CategoryFacts ids={family.category_ids} />
      {facts.map(([label, text]) => (
        <Fragment key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

function timeText(instant: string | null): string {
  return instant === null ? 'Not known' : instantText(instant);
}
