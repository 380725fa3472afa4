import { useMemo } from 'preact/hooks';
import type { StoreSummary } from '../../contract/schemas/store.ts';
import { ActivityChart, countsWhere, totalEvents } from '../changes/activity-chart.tsx';
import {
  allTypes,
  askedAfter,
  askedFault,
  askedNames,
  askedPresence,
  askedTypes,
  type ChangeFields,
  changeKinds,
  changesQuestion,
  isByEvent,
  noChangeFilters,
  unusedChangeParts,
} from '../changes/asked-changes.ts';
import { useAskedEvents } from '../changes/asked-events.ts';
import { ChangeTable } from '../changes/change-table.tsx';
import { Choice, Switch } from '../parts/choice.tsx';
import { type FilterInUse, FilterRow } from '../parts/filter-row.tsx';
import { Share } from '../parts/share.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { countNoun, dateText, instantText } from '../parts/text.ts';
import { UnusedParts } from '../parts/unused-parts.tsx';
import { type Source, ViewFrame } from '../parts/view-frame.tsx';
import { useAddressQuery } from '../site/address-query.ts';
import { hrefFor, type ViewProps } from '../site/router.ts';
import { type Metadata, useLoaded, useSession } from '../site/session.ts';
import { useStores } from '../site/stores-and-categories.ts';

type Found = ReturnType<typeof useAskedEvents>;

const labels = {
  sku: 'SKU',
  store: 'Store',
  since: 'Retrieved from (UTC)',
  until: 'Retrieved to (UTC)',
  after: 'Published after',
} as const;

/** Periods by their number of days. */
const periods = { '30': 'Last 30 days', '90': 'Last 90 days', all: 'All' } as const;

/** Every kept change, newest first: price changes, unless the address asks for others or names a product or store. */
export function Changes({ query }: ViewProps) {
  const { metadata } = useSession();
  const [fields, change] = useAddressQuery('changes', askedNames, query);
  const asked = Object.fromEntries(askedNames.map((name) => [name, query.get(name) ?? ''])) as ChangeFields;
  const fault = askedFault(asked);
  const found = useAskedEvents(asked);
  const { paged, rows, charted } = found;
  const sources = useChangeSources(asked, paged.meta);
  const stores = useStores();
  const presence = askedPresence(asked);
  return (
    <ViewFrame
      title="Changes"
      lead="What changed from one retrieval to the next, newest first. A lower reported quantity is a change in the report and says nothing about sales."
      share={<Share />}
      sources={sources}
    >
      <KindTabs asked={asked} found={found} />
      <div class="switches">
        <Switch
          label="Retrieved"
          options={periods}
          value={chosenPeriod(fields, metadata)}
          onChange={(period) => change({ since: periodStart(period, metadata), until: '' })}
        />
      </div>
      <ChangeFilters asked={asked} fields={fields} stores={stores.value ?? []} onChange={change} />
      <UnusedParts parts={unusedChangeParts(asked)} />
      {fault !== null && <p class="note">{fault}</p>}
      {stores.state === 'failed' && <Failed error={stores.error} />}
      {charted && charted.publication.length > 1 && (presence === null || found.isAll) && (
        <ActivityChart
          title={found.isOfKept ? 'Changes by publication' : 'The changes below, by publication'}
          counts={charted}
          types={askedTypes(asked)}
          file="changes-by-publication"
        />
      )}
      {rows.length > 0 && <ChangeTable events={rows} file="changes" isByEvent={isByEvent(asked)} isGrowing />}
      {fault === null && (paged.state === 'loading' || (found.isReadOn && paged.state === 'more')) && (
        <Loading what="changes" />
      )}
      {paged.error && <Failed error={paged.error} />}
      <ListEnd found={found} presence={presence} isFiltered={usedFilters(fields).length > 0} />
    </ViewFrame>
  );
}

/** The kinds of changes, with their numbers where these are known. */
function KindTabs({ asked, found }: { readonly asked: ChangeFields; readonly found: Found }) {
  const { counts, isAll, rows, first } = found;
  const [types, presence] = [askedTypes(asked), askedPresence(asked)];
  const tabs = changeKinds.map(({ label, types: kindTypes, presence: only = null, isSinceFirst = false }) => {
    const of = kindTypes ?? allTypes(asked);
    // In the first publication everything is new, which says nothing about the products.
    const after = isSinceFirst && asked.after === '' ? first : null;
    const isCurrent = types.join() === of.join() && presence === only;
    const href = hrefFor('changes', '', {
      ...asked,
      types: kindTypes === null ? 'all' : of.join(),
      presence: only,
      ...(after !== null && { after }),
    });
    const counted = counts && totalEvents(after === null ? counts : countsWhere(counts, (at) => at > after), of);
    return { label, href, isCurrent, count: only === null ? counted : isCurrent && isAll ? rows.length : null };
  });
  return <Tabs label="Kinds of changes" tabs={tabs} />;
}

/** The fields of the form, and what they say about the time after which changes were published. */
function ChangeFilters({
  asked,
  fields,
  stores,
  onChange,
}: {
  readonly asked: ChangeFields;
  readonly fields: ChangeFields;
  readonly stores: readonly StoreSummary[];
  readonly onChange: (changes: Partial<ChangeFields>) => void;
}) {
  const options = useMemo(() => stores.map(({ id, name }) => [id, name] as const), [stores]);
  const after = askedAfter(asked);
  const used = usedFilters(fields);
  const inUse = used.map((name): FilterInUse => {
    const value = name === 'after' && after !== null ? dateText(after) : fields[name];
    const text = options.find(([id]) => id === value)?.[1] ?? value;
    return { label: labels[name], text, clear: () => onChange({ [name]: '' }) };
  });
  const write = (name: keyof ChangeFields) => (event: Event) =>
    onChange({ [name]: (event.currentTarget as HTMLInputElement).value });
  return (
    <>
      <FilterRow
        used={used.filter((name) => name !== 'sku').length}
        inUse={inUse}
        onClear={used.length === 0 ? null : () => onChange(noChangeFilters)}
        first={
          <label class="wide">
            {labels.sku}
            <input type="text" value={fields.sku} onInput={write('sku')} />
          </label>
        }
      >
        <Choice
          label={labels.store}
          any="All stores"
          options={options}
          value={fields.store}
          onChange={(store) => onChange({ store })}
        />
        <label>
          {labels.since}
          <input type="date" value={fields.since} onInput={write('since')} />
        </label>
        <label>
          {labels.until}
          <input type="date" value={fields.until} onInput={write('until')} />
        </label>
      </FilterRow>
      {after !== null && (
        <p>
          Published after {dateText(after)}.{' '}
          <button type="button" onClick={() => onChange({ after: '' })}>
            Include earlier changes
          </button>
        </p>
      )}
    </>
  );
}

/** A button that loads more changes, or what to say when there are no more. */
function ListEnd({
  found: { paged, isAll, isReadOn, events, rows },
  presence,
  isFiltered,
}: {
  readonly found: Found;
  readonly presence: ReturnType<typeof askedPresence>;
  readonly isFiltered: boolean;
}) {
  const { metadata } = useSession();
  if (!isReadOn && paged.state === 'more')
    return (
      <p>
        <button type="button" onClick={paged.more}>
          Load more changes
        </button>{' '}
        <span class="muted">{countNoun(events.length, 'change')} so far.</span>
      </p>
    );
  if (!isAll) return null;
  const history = paged.meta?.history;
  return (
    <p role="status">
      {rows.length === 0
        ? 'No changes match.'
        : `${countNoun(rows.length, presence === 'gone' ? 'product' : 'change')}.`}{' '}
      {presence === 'gone' && !isFiltered && goneBefore(metadata.data.counts, rows.length)}
      {history?.earliest_available_at &&
        `Changes are kept for ${countNoun(history.retention_days, 'day')}. The oldest one kept was retrieved on ${dateText(history.earliest_available_at)}. Observations began on ${instantText(history.tracking_started_at)}.`}
    </p>
  );
}

function usedFilters(fields: ChangeFields): (keyof typeof labels)[] {
  return (Object.keys(labels) as (keyof typeof labels)[]).filter((name) => fields[name] !== '');
}

/** The first day of a period that ends with the publication; empty for all. */
function periodStart(period: keyof typeof periods, { data: { publication } }: Metadata): string {
  if (period === 'all') return '';
  return new Date(Date.parse(publication.published_at) - Number(period) * 86_400_000).toISOString().slice(0, 10);
}

/** The period between two days; null for any other span. */
function chosenPeriod({ since, until }: ChangeFields, metadata: Metadata): keyof typeof periods | null {
  const names = Object.keys(periods) as (keyof typeof periods)[];
  return until === '' ? (names.find((period) => periodStart(period, metadata) === since) ?? null) : null;
}

/**
 * Says how many products left the catalog before the oldest kept change. `shown`: those that left with a kept change.
 */
function goneBefore({ products, listed_products }: Metadata['data']['counts'], shown: number): string {
  const count = products - listed_products - shown;
  return count > 0 ? `${countNoun(count, 'other product')} left the catalog before the oldest change kept. ` : '';
}

/**
 * The documents that the changes come from. Only a host that computes can filter. The newest 1 to 100 changes are in
 * the list, and all others in pages.
 */
function useChangeSources(asked: ChangeFields, meta: Found['paged']['meta']): Source[] {
  const { site } = useSession();
  const question = changesQuestion(asked);
  const isFiltered = Object.keys(question).length > 0;
  // Once rows have been read, it is known whether the host filters.
  const isAskable = isFiltered && meta !== null;
  const computes = useLoaded(isAskable ? 'computes' : null, (site, signal) => site.computes({ signal })).value;
  const counts = { label: 'Counts of changes', url: site.addressOf('activity') };
  if (askedFault(asked) !== null) return [counts];
  if (!isFiltered || computes)
    return [{ label: 'These changes', url: site.addressOf('changes', {}, question) }, counts];
  if (computes === null) return [counts];
  const count = meta?.history.retained_event_count ?? 0;
  return [
    { label: 'The newest changes, of any kind', url: site.addressOf('changes') },
    ...(count > 100 ? [{ label: 'Index of the pages with all others', url: site.addressOf('changes_index') }] : []),
    counts,
  ];
}
