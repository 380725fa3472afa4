import { useSession } from '../app/session.ts';
import { Page } from '../components/page.tsx';
import { countText, instantText } from '../components/text.ts';

/** What is published, and how much. */
export function Home() {
  const { site, metadata } = useSession();
  const { publication, counts, service } = metadata.data;
  const figures = [
    [counts.listed_products, 'products listed'],
    [counts.stores, 'stores'],
    [counts.inventory_pairs, 'products in stores observed'],
    [counts.change_events, 'changes kept'],
  ] as const;
  return (
    <Page
      title={service.name}
      lead={`Publication ${publication.sequence}, published ${instantText(publication.published_at)}.`}
      sources={[{ label: 'Metadata', url: site.addressOf('metadata') }]}
    >
      <ul class="cards">
        {figures.map(([figure, label]) => (
          <li class="card" key={label}>
            <b>{countText(figure)}</b> {label}
          </li>
        ))}
      </ul>
    </Page>
  );
}
