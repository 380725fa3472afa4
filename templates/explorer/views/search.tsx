import { useRef } from 'preact/hooks';
import type { SearchHit, SearchKind } from '../../../generator/contract/documents/search.ts';
import { useAddressQuery } from '../app/address-query.ts';
import { placeOf, type ViewProps } from '../app/router.ts';
import { useLoaded, useSession } from '../app/session.ts';
import { Page } from '../components/page.tsx';
import { Failed } from '../components/states.tsx';
import { countOf } from '../components/text.ts';
import { unusedCodes } from '../components/unused-part.ts';
import { UnusedParts } from '../components/unused-parts.tsx';

const kindLabels: Readonly<Record<SearchKind, string>> = {
  product: 'Products',
  product_family: 'Families',
  brand: 'Brands',
  store: 'Stores',
};
const allKinds = Object.keys(kindLabels) as SearchKind[];
/** As many as one answer can have. */
const limit = 100;

/** Products, families, brands and stores by the words of their names. */
export function Search({ query }: ViewProps) {
  const { site } = useSession();
  const [fields, change] = useAddressQuery('search', ['q', 'kinds'], query);
  const chosen = new Set(fields.kinds.split(',').filter(Boolean));
  // The address follows the form after a pause, so only what the reader meant to type is asked.
  const q = (query.get('q') ?? '').trim();
  const asked = allKinds.filter((kind) => (query.get('kinds') ?? '').split(',').includes(kind));
  const question = { q, limit, ...(asked.length > 0 && { kinds: asked }) };
  const loaded = useLoaded(q === '' ? null : JSON.stringify(question), (site, signal) =>
    site.search(question, { signal }),
  );
  const host = useLoaded('computes', (site, signal) => site.computes({ signal }));
  const found = useRef(loaded.value);
  found.current = q === '' ? null : (loaded.value ?? found.current);
  const toggle = (kind: SearchKind) =>
    change({ kinds: allKinds.filter((one) => chosen.has(one) !== (one === kind)).join(',') });
  return (
    <Page
      title="Search"
      sources={
        q === ''
          ? []
          : [
              ...(host.value ? [{ label: 'These hits', url: site.addressOf('search', {}, question) }] : []),
              { label: 'Everything that can be found', url: site.addressOf('search_index') },
            ]
      }
    >
      <search class="controls">
        <label class="search-words">
          Words of a name, or a SKU
          <input
            type="search"
            value={fields.q}
            maxLength={200}
            onInput={(event) => change({ q: event.currentTarget.value })}
          />
        </label>
        <fieldset>
          <legend>Only</legend>
          {allKinds.map((kind) => (
            <label class="check" key={kind}>
              <input type="checkbox" checked={chosen.has(kind)} onChange={() => toggle(kind)} />
              {kindLabels[kind]}
            </label>
          ))}
        </fieldset>
      </search>
      <UnusedParts of={unusedCodes('kinds', query.get('kinds') ?? '', allKinds, `some of ${allKinds.join(', ')}`)} />
      <p class="muted" role="status">
        {q === ''
          ? 'Type words in any order. The last one may be the beginning of a word.'
          : loaded.state === 'loading'
            ? host.value === false
              ? 'Searching… This host only sends files, so the index of all names is loaded first.'
              : 'Searching…'
            : loaded.value && countFound(loaded.value.meta.total, loaded.value.data.length)}
      </p>
      {q !== '' && loaded.state === 'failed' && <Failed error={loaded.error} />}
      {found.current && <Hits hits={found.current.data} isOld={loaded.state === 'loading'} />}
    </Page>
  );
}

function countFound(total: number, shown: number): string {
  return total > shown ? `${countOf(total, 'hit')}; the best ${shown} are here.` : `${countOf(total, 'hit')}.`;
}

function Hits({ hits, isOld }: { readonly hits: readonly SearchHit[]; readonly isOld: boolean }) {
  const kinds = [...new Set(hits.map(({ kind }) => kind))];
  return (
    <div aria-busy={isOld}>
      {kinds.map((kind) => (
        <section key={kind}>
          <h2>{kindLabels[kind]}</h2>
          <ul class="hits">
            {hits
              .filter((hit) => hit.kind === kind)
              .map((hit) => (
                <li key={hit.id}>
                  <a href={placeOfHit(hit)}>{hit.name}</a>{' '}
                  <span class="muted">
                    {[hit.brand, hit.kind === 'product' ? hit.agency_sku : null].filter(Boolean).join(', ')}
                  </span>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function placeOfHit(hit: SearchHit): string {
  switch (hit.kind) {
    case 'product':
      return placeOf('product', hit.agency_sku);
    case 'product_family':
      return placeOf('family', hit.id);
    default:
      return placeOf(hit.kind, hit.id);
  }
}
