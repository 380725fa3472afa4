import { useEffect, useMemo } from 'preact/hooks';
import type { Site } from '../../client/open-site.ts';
import { RowList } from '../../client/row-list.ts';
import type { ChangeEvent } from '../../contract/schemas/change.ts';
import { ActivityChart, countsWhere, type EventCounts, totalEvents } from '../changes/activity-chart.tsx';
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
  isAfter,
  isByEvent,
  noChangeFilters,
  shownEvents,
  unusedChangeParts,
} from '../changes/asked-changes.ts';
import { ChangeTable } from '../changes/change-table.tsx';
import { changeTypes } from '../changes/change-text.ts';
import { wholePublications } from '../changes/whole-publications.ts';
import { Choice, Switch } from '../parts/choice.tsx';
import { type FilterInUse, FilterRow } from '../parts/filter-row.tsx';
import { Share } from '../parts/share.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { countNoun, dateText, instantText } from '../parts/text.ts';
import { UnusedParts } from '../parts/unused-parts.tsx';
import { type Source, ViewFrame } from '../parts/view-frame.tsx';
import { useAddressQuery } from '../site/address-query.ts';
import { useStores } from '../site/directories.ts';
import { usePages } from '../site/paged-list.ts';
import { hrefFor, type ViewProps } from '../site/router.ts';
import { type Metadata, useLoaded, useSession } from '../site/session.ts';

type ChangesQuestion = ReturnType<typeof changesQuestion>;

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
  const { site, metadata } = useSession();
  const [fields, change] = useAddressQuery('changes', askedNames, query);
  const asked = Object.fromEntries(askedNames.map((name) => [name, query.get(name) ?? ''])) as ChangeFields;
  const fault = askedFault(asked);
  const question = changesQuestion(asked);
  const [presence, after] = [askedPresence(asked), askedAfter(asked)];
  const paged = usePages(fault === null ? JSON.stringify([question, after]) : null, (site, signal) =>
    publishedAfter(site.changes(question, { signal }), after),
  );
  // Once rows have been read, it is known whether the host filters.
  const hasFiltered = isFiltered(question) && paged.meta !== null;
  const host = useLoaded(hasFiltered ? 'computes' : null, (site, signal) => site.computes({ signal }));
  const stores = useStores();
  const activity = useLoaded('activity', (site, signal) => site.activity({ signal }));
  const options = useMemo(() => (stores.value ?? []).map(({ id, name }) => [id, name] as const), [stores.value]);
  const types = askedTypes(asked);
  const isOfAll = asked.sku === '' && asked.store === '';
  const isAll = paged.state === 'all';
  const whole = useMemo(() => (isAll ? paged.rows : wholePublications(paged.rows)), [paged.rows, isAll]);
  const byEvent = isByEvent(asked);
  const shown = byEvent ? paged.rows : whole;
  const rows = useMemo(() => shownEvents(shown, asked), [shown, presence, asked.until]);
  const published = activity.value?.publications;
  const first = published?.publication[0] === 1 ? (published.published_at[0] ?? null) : null;
  const counts = useMemo(
    () => (isOfAll && activity.value ? countsAsked(activity.value.publications, asked) : null),
    [activity.value, isOfAll, asked.since, asked.until, after],
  );
  const hasAll = isOfAll && presence === null;
  const known = useMemo(
    () => (hasAll ? counts : countsByPublication(presence === null ? whole : rows, activity.value?.publications)),
    [counts, hasAll, whole, rows, activity.value],
  );
  // Only the newest change of each product counts, so all pages are read. After a given publication, the number of
  // changes is known. A row of a product needs a complete publication.
  const isReadOn =
    presence !== null ||
    (after !== null && counts !== null && rows.length >= totalEvents(counts, types)) ||
    (!byEvent && rows.length === 0);
  useEffect(() => {
    if (isReadOn && paged.state === 'more') paged.more();
  }, [isReadOn, paged.state, paged.rows]);
  const history = paged.meta?.history;
  const write = (name: keyof ChangeFields) => (event: Event) =>
    change({ [name]: (event.currentTarget as HTMLInputElement).value });
  const used = (Object.keys(labels) as (keyof typeof labels)[]).filter((name) => fields[name] !== '');
  const inUse = used.map((name): FilterInUse => {
    const value = name === 'after' && after !== null ? dateText(after) : fields[name];
    const text = options.find(([id]) => id === value)?.[1] ?? value;
    return { label: labels[name], text, clear: () => change({ [name]: '' }) };
  });
  return (
    <ViewFrame
      title="Changes"
      lead="What changed from one retrieval to the next, newest first. A lower reported quantity is a change in the report and says nothing about sales."
      share={<Share />}
      sources={[
        ...(fault === null ? changeSources(site, question, host.value, history?.retained_event_count ?? 0) : []),
        { label: 'Counts of changes', url: site.addressOf('activity') },
      ]}
    >
      <Tabs
        label="Kinds of changes"
        tabs={changeKinds.map(({ label, types: kindTypes, presence: only = null, isSinceFirst = false }) => {
          const of = kindTypes ?? allTypes(asked);
          // In the first publication everything is new, which means nothing.
          const after = isSinceFirst && asked.after === '' ? first : null;
          const isCurrent = types.join() === of.join() && presence === only;
          return {
            label,
            href: hrefFor('changes', '', {
              ...asked,
              types: kindTypes === null ? 'all' : of.join(),
              presence: only,
              ...(after !== null && { after }),
            }),
            isCurrent,
            count:
              only === null
                ? counts && totalEvents(after === null ? counts : countsWhere(counts, (at) => at > after), of)
                : isCurrent && isAll
                  ? rows.length
                  : null,
          };
        })}
      />
      <div class="switches">
        <Switch
          label="Retrieved"
          options={periods}
          value={chosenPeriod(fields, metadata)}
          onChange={(period) => change({ since: periodStart(period, metadata), until: '' })}
        />
      </div>
      <FilterRow
        used={used.filter((name) => name !== 'sku').length}
        inUse={inUse}
        onClear={used.length === 0 ? null : () => change(noChangeFilters)}
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
          onChange={(store) => change({ store })}
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
          <button type="button" onClick={() => change({ after: '' })}>
            Include earlier changes
          </button>
        </p>
      )}
      <UnusedParts parts={unusedChangeParts(asked)} />
      {fault !== null && <p class="note">{fault}</p>}
      {stores.state === 'failed' && <Failed error={stores.error} />}
      {known && known.publication.length > 1 && (presence === null || isAll) && (
        <ActivityChart
          title={hasAll ? 'Changes by publication' : 'The changes below, by publication'}
          counts={known}
          types={types}
          file="changes-by-publication"
        />
      )}
      {rows.length > 0 && <ChangeTable events={rows} file="changes" isByEvent={byEvent} isGrowing />}
      {fault === null && (paged.state === 'loading' || (isReadOn && paged.state === 'more')) && (
        <Loading what="changes" />
      )}
      {paged.error && <Failed error={paged.error} />}
      {!isReadOn && paged.state === 'more' && (
        <p>
          <button type="button" onClick={paged.more}>
            Load more changes
          </button>{' '}
          <span class="muted">{countNoun(shown.length, 'change')} so far.</span>
        </p>
      )}
      {isAll && (
        <p role="status">
          {rows.length === 0
            ? 'No kept change matches.'
            : `That is all: ${countNoun(rows.length, presence === 'gone' ? 'product' : 'change')}.`}{' '}
          {presence === 'gone' && used.length === 0 && goneBefore(metadata.data.counts, rows.length)}
          {history?.earliest_available_at &&
            `Changes are kept for ${countNoun(history.retention_days, 'day')}. The oldest one kept was retrieved on ${dateText(history.earliest_available_at)}. Observations began on ${instantText(history.tracking_started_at)}.`}
        </p>
      )}
    </ViewFrame>
  );
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

/** The beginning of a list (newest first): the events of publications after a moment. */
function publishedAfter<Meta>(list: RowList<ChangeEvent, Meta>, after: string | null): RowList<ChangeEvent, Meta> {
  return new RowList(async function* () {
    for await (const page of list.pages()) {
      const end = page.data.findIndex(({ times }) => !isAfter(times.published_at, after));
      yield end < 0 ? page : { ...page, data: page.data.slice(0, end) };
      if (end >= 0) return;
    }
  });
}

/**
 * Says how many products left the catalog before the oldest kept change. `shown`: those that left with a kept change.
 */
function goneBefore({ products, listed_products }: Metadata['data']['counts'], shown: number): string {
  const count = products - listed_products - shown;
  return count > 0 ? `${countNoun(count, 'other product')} left the catalog before the oldest change kept. ` : '';
}

/** The counts of the publications that the address asks for. */
function countsAsked(counts: EventCounts, asked: ChangeFields): EventCounts {
  const { since, until } = asked;
  const after = askedAfter(asked);
  return countsWhere(counts, (at) => {
    const day = at.slice(0, 10);
    return isAfter(at, after) && day >= since && (until === '' || day <= until);
  });
}

/**
 * The events shown, counted by publication, oldest first. Publications without events are left out. `known`: the newest
 * publications with their numbers.
 */
function countsByPublication(rows: readonly ChangeEvent[], known: EventCounts | undefined): EventCounts {
  const numbers = new Map(known?.published_at.map((at, index) => [at, known.publication[index] ?? null]));
  const published_at = [...new Set(rows.map(({ times }) => times.published_at))].reverse();
  const positions = new Map(published_at.map((at, index) => [at, index]));
  const events = Object.fromEntries(changeTypes.map((type) => [type, published_at.map(() => 0)]));
  for (const { type, times } of rows) {
    const at = positions.get(times.published_at) ?? 0;
    const counts = events[type];
    if (counts) counts[at] = (counts[at] ?? 0) + 1;
  }
  return {
    publication: published_at.map((at) => numbers.get(at) ?? null),
    published_at,
    events: events as EventCounts['events'],
  };
}

function isFiltered(question: ChangesQuestion): boolean {
  return Object.keys(question).length > 0;
}

/**
 * The documents that the changes come from. Only a host that computes can filter; `computes` null: not known yet.
 * `count`: the number of kept changes. The newest 1 to 100 are in the list, and all others in pages.
 */
function changeSources(site: Site, question: ChangesQuestion, computes: boolean | null, count: number): Source[] {
  if (!isFiltered(question) || computes)
    return [{ label: 'These changes', url: site.addressOf('changes', {}, question) }];
  if (computes === null) return [];
  return [
    { label: 'The newest changes, of any kind', url: site.addressOf('changes') },
    ...(count > 100 ? [{ label: 'Index of the pages with all others', url: site.addressOf('changes_index') }] : []),
  ];
}
