import { placeOf } from '../app/router.ts';
import { type Metadata, useLoaded, useSession } from '../app/session.ts';
import { siteTitle } from '../app/site-title.ts';
import { Page } from '../components/page.tsx';
import { SearchForm } from '../components/search-form.tsx';
import { WhenLoaded } from '../components/states.tsx';
import { ageText, countText, instantText } from '../components/text.ts';
import { WarningList } from '../components/warning-list.tsx';
import { ActivityCharts } from '../home/activity-charts.tsx';
import { LatestChanges } from '../home/latest-changes.tsx';

/** What is published, how old it is, and what changed last. */
export function Home() {
  const { site, metadata } = useSession();
  const activity = useLoaded('activity', (site, signal) => site.activity({ signal }));
  const agency = metadata.data.about?.agency ?? null;
  return (
    <Page
      title={siteTitle(metadata)}
      lead={agency !== null && `What ${agency} reports.`}
      sources={[
        { label: 'Metadata', url: site.addressOf('metadata') },
        { label: 'Activity', url: site.addressOf('activity') },
        { label: 'Export manifest, with times of retrieval', url: site.addressOf('exports') },
      ]}
    >
      <SearchForm isLarge />
      <Figures metadata={metadata} />
      <Age metadata={metadata} />
      <WarningList of={metadata.meta.warnings} />
      <h2>What changed last</h2>
      <WhenLoaded loaded={activity} what="the latest changes">
        {(found) => <LatestChanges activity={found} />}
      </WhenLoaded>
      <p>
        <a href={placeOf('changes')}>All changes</a>
      </p>
      <h2>Changes by publication</h2>
      <WhenLoaded loaded={activity} what="the numbers of changes">
        {({ publications }) => <ActivityCharts publications={publications} />}
      </WhenLoaded>
    </Page>
  );
}

function Figures({ metadata }: { readonly metadata: Metadata }) {
  const { counts } = metadata.data;
  const figures = [
    [counts.listed_products, 'products listed'],
    [counts.stores, 'stores'],
    [counts.inventory_pairs, 'pairs of product and store observed'],
    [counts.change_events, 'changes kept'],
  ] as const;
  return (
    <ul class="cards">
      {figures.map(([figure, label]) => (
        <li class="card" key={label}>
          <b>{countText(figure)}</b> {label}
        </li>
      ))}
    </ul>
  );
}

/** Which publication this is, and how old its newest retrievals were when it was published. */
function Age({ metadata }: { readonly metadata: Metadata }) {
  const { publication } = metadata.data;
  const manifest = useLoaded('manifest', (site, signal) => site.exports({ signal }));
  const { catalog, inventory } = manifest.value?.meta.freshness ?? {};
  const newest = inventory?.retrieved_at_max ?? null;
  return (
    <p>
      This is publication {publication.sequence} of {instantText(publication.published_at)}.
      {catalog && ` Its catalog was retrieved ${ageText(catalog.retrieved_at, publication.published_at)} that`}
      {newest !== null && `, its newest inventory ${ageText(newest, publication.published_at)}`}
      {catalog && '.'}
    </p>
  );
}
