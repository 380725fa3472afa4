import { useMemo } from 'preact/hooks';
import type { Site } from '../../../client/open-site.ts';
import type { ChangeEvent, ChangeType } from '../../../generator/contract/documents/change.ts';
import type { StoreSummary } from '../../../generator/contract/documents/store.ts';
import { type Fields, useAddressQuery } from '../app/address-query.ts';
import { usePages } from '../app/pages.ts';
import type { ViewProps } from '../app/router.ts';
import { useLoaded, useSession } from '../app/session.ts';
import { changeColumns } from '../changes/change-columns.tsx';
import { changeLabels, changeTypes } from '../changes/change-text.ts';
import { Choice } from '../components/choice.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Page, type Source } from '../components/page.tsx';
import { Failed, Loading } from '../components/states.tsx';
import { countOf, dateText, instantText } from '../components/text.ts';
import { unusedCodes } from '../components/unused-part.ts';
import { UnusedParts } from '../components/unused-parts.tsx';

const names = ['types', 'store', 'sku', 'since', 'until'] as const;
type ChangeFields = Fields<(typeof names)[number]>;
type Question = ReturnType<typeof questionOf>;

/** Every change that is kept, newest first. */
export function Changes({ query }: ViewProps) {
  const { site } = useSession();
  const [fields, change] = useAddressQuery('changes', names, query);
  const asked = Object.fromEntries(names.map((name) => [name, query.get(name) ?? ''])) as ChangeFields;
  const fault = faultOf(asked);
  const question = questionOf(asked);
  const paged = usePages(fault === null ? JSON.stringify(question) : null, (site, signal) =>
    site.changes(question, { signal }),
  );
  const host = useLoaded(isFiltered(question) ? 'computes' : null, (site, signal) => site.computes({ signal }));
  const context = useLoaded('changes', async (site, signal) => {
    const [publications, stores] = await Promise.all([
      site.publications({ signal }),
      site.stores({}, { signal }).take(Number.POSITIVE_INFINITY),
    ]);
    return { publications: publications.data, stores };
  });
  const columns = useMemo(() => {
    const sequences = new Map(context.value?.publications.map((row) => [row.published_at, row.sequence]));
    return changeColumns((publishedAt) => sequences.get(publishedAt) ?? null);
  }, [context.value]);
  const history = paged.meta?.history;
  return (
    <Page
      title="Changes"
      lead="What changed between two retrievals, newest first. A reported quantity that falls is a change of the report, and says nothing about a sale."
      sources={[
        ...(fault === null ? changeSources(site, question, host.value, history?.retained_event_count ?? 0) : []),
        { label: 'Retained publications', url: site.addressOf('publications') },
      ]}
    >
      <ChangeFilters fields={fields} stores={context.value?.stores ?? []} onChange={change} />
      <UnusedParts of={unusedCodes('types', asked.types, changeTypes, `some of ${changeTypes.join(', ')}`)} />
      {fault !== null && <p class="note">{fault}</p>}
      {context.state === 'failed' && <Failed error={context.error} />}
      {paged.rows.length > 0 && (
        <DataTable
          caption="Changes"
          columns={columns}
          rows={paged.rows}
          file="changes"
          keyOf={(event: ChangeEvent) => event.id}
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
          {paged.rows.length === 0 ? 'No kept change is like this.' : 'These are all.'}{' '}
          {history?.earliest_available_at &&
            `The service keeps changes for ${countOf(history.retention_days, 'day')}. The oldest that it still has was retrieved on ${dateText(history.earliest_available_at)}; it has observed since ${instantText(history.tracking_started_at)}.`}
        </p>
      )}
    </Page>
  );
}

function ChangeFilters({
  fields,
  stores,
  onChange,
}: {
  readonly fields: ChangeFields;
  readonly stores: readonly StoreSummary[];
  readonly onChange: (changes: Partial<ChangeFields>) => void;
}) {
  const types = new Set(fields.types.split(',').filter(Boolean));
  const toggle = (type: ChangeType) => {
    const next = changeTypes.filter((one) => types.has(one) !== (one === type));
    onChange({ types: next.join(',') });
  };
  const options = useMemo(() => stores.map(({ id, name }) => [id, name] as const), [stores]);
  const write = (name: keyof ChangeFields) => (event: Event) =>
    onChange({ [name]: (event.currentTarget as HTMLInputElement).value });
  return (
    <search class="change-filters">
      <fieldset>
        <legend>Only changes of</legend>
        {changeTypes.map((type) => (
          <label class="check" key={type}>
            <input type="checkbox" checked={types.has(type)} onChange={() => toggle(type)} />
            {changeLabels[type]}
          </label>
        ))}
      </fieldset>
      <div class="filters">
        <Choice
          label="Store"
          any="All stores"
          options={options}
          value={fields.store}
          onChange={(store) => onChange({ store })}
        />
        <label>
          Product by SKU
          <input type="text" inputMode="numeric" maxLength={6} value={fields.sku} onInput={write('sku')} />
        </label>
        <label>
          Retrieved from (UTC)
          <input type="date" value={fields.since} onInput={write('since')} />
        </label>
        <label>
          Retrieved to (UTC)
          <input type="date" value={fields.until} onInput={write('until')} />
        </label>
        <button
          type="button"
          disabled={names.every((name) => fields[name] === '')}
          onClick={() => onChange({ types: '', store: '', sku: '', since: '', until: '' })}
        >
          Clear filters
        </button>
      </div>
    </search>
  );
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
  if (sku !== '' && !/^\d{6}$/.test(sku)) return 'A SKU has six digits.';
  if (since !== '' && until !== '' && until < since) return 'The second day is before the first.';
  return null;
}

/** The parameters of the list. Days are whole days of UTC. */
function questionOf({ types, store, sku, since, until }: ChangeFields) {
  const wanted = changeTypes.filter((type) => types.split(',').includes(type));
  return {
    ...(wanted.length > 0 && { types: wanted }),
    ...(store !== '' && { store_id: store }),
    ...(sku !== '' && { sku }),
    ...(since !== '' && { since: `${since}T00:00:00Z` }),
    ...(until !== '' && { until: `${until}T23:59:59.999Z` }),
  };
}
