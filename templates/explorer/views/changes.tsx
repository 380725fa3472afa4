import { useMemo } from 'preact/hooks';
import type { Site } from '../../../client/open-site.ts';
import type { ChangeEvent, ChangeType } from '../../../generator/contract/documents/change.ts';
import { type Fields, useAddressQuery } from '../app/address-query.ts';
import { usePages } from '../app/pages.ts';
import { placeOf, type ViewProps } from '../app/router.ts';
import { useLoaded, useSession } from '../app/session.ts';
import { ActivityChart, countSince, type EventCounts } from '../changes/activity-chart.tsx';
import { ChangeTable, storeTypes } from '../changes/change-table.tsx';
import { changeTypes } from '../changes/change-text.ts';
import { Choice } from '../components/choice.tsx';
import { FilterRow } from '../components/filter-row.tsx';
import { Page, type Source } from '../components/page.tsx';
import { expectedAgencyCode, isAgencyCode } from '../components/site-profile.ts';
import { Failed, Loading } from '../components/states.tsx';
import { Tabs } from '../components/tabs.tsx';
import { countOf, dateText, instantText } from '../components/text.ts';
import { unusedCodes } from '../components/unused-part.ts';
import { UnusedParts } from '../components/unused-parts.tsx';

const names = ['types', 'store', 'sku', 'since', 'until'] as const;
type ChangeFields = Fields<(typeof names)[number]>;
type Question = ReturnType<typeof questionOf>;

const labels = {
  sku: 'Product by SKU',
  store: 'Store',
  since: 'Retrieved from (UTC)',
  until: 'Retrieved to (UTC)',
} as const;

/** The kinds of changes that readers ask for, as the address has them. */
const kinds: readonly (readonly [label: string, types: readonly ChangeType[]])[] = [
  ['Prices', ['price_changed']],
  ['New and gone', ['product_first_observed', 'catalog_presence_changed']],
  ['Status and names', ['status_changed', 'product_presentation_changed']],
  ['Quantities', ['aggregate_inventory_changed']],
  ['In each store', storeTypes],
];

/** Every change that is kept, newest first: the prices, unless the address says otherwise or is about one product or store. */
export function Changes({ query }: ViewProps) {
  const { site } = useSession();
  const [fields, change] = useAddressQuery('changes', names, query);
  const asked = Object.fromEntries(names.map((name) => [name, query.get(name) ?? ''])) as ChangeFields;
  const fault = faultOf(asked);
  const question = questionOf(asked);
  const paged = usePages(fault === null ? JSON.stringify(question) : null, (site, signal) =>
    site.changes(question, { signal }),
  );
  // Reading the rows tells whether the host filters them.
  const hasFiltered = isFiltered(question) && paged.meta !== null;
  const host = useLoaded(hasFiltered ? 'computes' : null, (site, signal) => site.computes({ signal }));
  const stores = useLoaded('stores', (site, signal) => site.stores({}, { signal }).take(Number.POSITIVE_INFINITY));
  const activity = useLoaded('activity', (site, signal) => site.activity({ signal }));
  const options = useMemo(() => (stores.value ?? []).map(({ id, name }) => [id, name] as const), [stores.value]);
  const types = typesOf(asked);
  const isOfAll = asked.sku === '' && asked.store === '';
  const known = useMemo(
    () => (isOfAll ? activity.value && between(activity.value.publications, asked) : countsOf(paged.rows)),
    [activity.value, isOfAll, paged.rows, asked.since, asked.until],
  );
  const history = paged.meta?.history;
  const write = (name: keyof ChangeFields) => (event: Event) =>
    change({ [name]: (event.currentTarget as HTMLInputElement).value });
  const used = (Object.keys(labels) as (keyof typeof labels)[]).filter((name) => fields[name] !== '');
  return (
    <Page
      title="Changes"
      lead="What changed between two retrievals, newest first. A reported quantity that falls is a change of the report, and says nothing about a sale."
      sources={[
        ...(fault === null ? changeSources(site, question, host.value, history?.retained_event_count ?? 0) : []),
        { label: 'Numbers of changes', url: site.addressOf('activity') },
      ]}
    >
      <Tabs
        label="Kinds of changes"
        tabs={[...kinds, ['Everything', changeTypes] as const].map(([label, of]) => ({
          label,
          href: placeOf('changes', '', { ...asked, types: of.length === changeTypes.length ? 'all' : of.join() }),
          isCurrent: types.join() === of.join(),
          count: isOfAll && known ? countSince(known, of) : null,
        }))}
      />
      <FilterRow
        used={used.filter((name) => name !== 'sku').length}
        inUse={used.map((name) => [labels[name], options.find(([id]) => id === fields[name])?.[1] ?? fields[name]])}
        onClear={used.length === 0 ? null : () => change({ store: '', sku: '', since: '', until: '' })}
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
      <UnusedParts
        of={unusedCodes('types', asked.types, ['all', ...changeTypes], `some of ${changeTypes.join(', ')}`)}
      />
      {fault !== null && <p class="note">{fault}</p>}
      {stores.state === 'failed' && <Failed error={stores.error} />}
      {known && known.publication.length > 1 && (
        <ActivityChart
          title={isOfAll ? 'Changes by publication' : 'The changes below by publication'}
          counts={known}
          types={types}
          file="changes-by-publication"
        />
      )}
      {paged.rows.length > 0 && (
        <ChangeTable
          events={paged.rows}
          file="changes"
          isByStore={asked.sku !== '' && types.every((type) => storeTypes.includes(type))}
          isGrowing
        />
      )}
      {fault === null && paged.state === 'loading' && <Loading what="changes" />}
      {paged.error && <Failed error={paged.error} />}
      {paged.state === 'more' && (
        <p>
          <button type="button" onClick={paged.more}>
            Load more changes
          </button>{' '}
          <span class="muted">{countOf(paged.rows.length, 'change')} so far.</span>
        </p>
      )}
      {paged.state === 'all' && (
        <p role="status">
          {paged.rows.length === 0
            ? 'No kept change is like this.'
            : `These are all, ${countOf(paged.rows.length, 'change')}.`}{' '}
          {history?.earliest_available_at &&
            `The service keeps changes for ${countOf(history.retention_days, 'day')}. The oldest that it still has was retrieved on ${dateText(history.earliest_available_at)}; it has observed since ${instantText(history.tracking_started_at)}.`}
        </p>
      )}
    </Page>
  );
}

/** The types that an address asks for, in their order. */
function typesOf({ types, sku, store }: ChangeFields): readonly ChangeType[] {
  if (types === '') return sku === '' && store === '' ? ['price_changed'] : changeTypes;
  const wanted = types.split(',');
  const known = changeTypes.filter((type) => wanted.includes(type));
  return known.length === 0 ? changeTypes : known;
}

/** The publications of the days that are asked for. */
function between({ publication, published_at, events }: EventCounts, { since, until }: ChangeFields): EventCounts {
  const kept = published_at.map((at) => at.slice(0, 10) >= since && (until === '' || at.slice(0, 10) <= until));
  const of = <Value,>(values: readonly Value[]) => values.filter((_, index) => kept[index]);
  const counts = Object.entries(events).map(([type, values]) => [type, of(values)]);
  return { publication: of(publication), published_at: of(published_at), events: Object.fromEntries(counts) };
}

/** The events that are shown, by publication, oldest first. Publications without any are left out. */
function countsOf(rows: readonly ChangeEvent[]): EventCounts {
  const published_at = [...new Set(rows.map(({ times }) => times.published_at))].reverse();
  const positions = new Map(published_at.map((at, index) => [at, index]));
  const events = Object.fromEntries(changeTypes.map((type) => [type, published_at.map(() => 0)]));
  for (const { type, times } of rows) {
    const at = positions.get(times.published_at) ?? 0;
    const counts = events[type];
    if (counts) counts[at] = (counts[at] ?? 0) + 1;
  }
  return {
    publication: published_at.map((_, index) => index + 1),
    published_at,
    events: events as EventCounts['events'],
  };
}

function isFiltered(question: Question): boolean {
  return Object.keys(question).length > 0;
}

/**
 * Where the changes come from. Only a host that computes answers filters; `computes` null: that is not known yet. `count`: how
 * many changes are kept. The newest 1 to 100 are in the list, and all others in pages.
 */
function changeSources(site: Site, question: Question, computes: boolean | null, count: number): Source[] {
  if (!isFiltered(question) || computes)
    return [{ label: 'These changes', url: site.addressOf('changes', {}, question) }];
  if (computes === null) return [];
  return [
    { label: 'The newest changes, of any kind', url: site.addressOf('changes') },
    ...(count > 100 ? [{ label: 'Index of the pages of all others', url: site.addressOf('changes_index') }] : []),
  ];
}

/** What cannot be asked for, in words; null if the fields can. */
function faultOf({ sku, since, until }: ChangeFields): string | null {
  if (sku !== '' && !isAgencyCode('sku', sku)) return `A SKU is ${expectedAgencyCode('sku')}.`;
  if (since !== '' && until !== '' && until < since) return 'The second day is before the first.';
  return null;
}

/** The parameters of the list. Days are whole days of UTC. */
function questionOf(fields: ChangeFields) {
  const { store, sku, since, until } = fields;
  const types = typesOf(fields);
  return {
    ...(types.length < changeTypes.length && { types: [...types] }),
    ...(store !== '' && { store_id: store }),
    ...(sku !== '' && { sku }),
    ...(since !== '' && { since: `${since}T00:00:00Z` }),
    ...(until !== '' && { until: `${until}T23:59:59.999Z` }),
  };
}
