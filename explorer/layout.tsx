import type { ComponentChildren } from 'preact';
import { useLists } from './changes/kept-list.ts';
import { Instant } from './parts/instant.tsx';
import { SafeLink } from './parts/links.tsx';
import { siteDateline, siteTitle } from './parts/site-title.ts';
import { useOwnTrip } from './products/own-trip.ts';
import { SearchForm } from './products/search-form.tsx';
import { useAway } from './site/connection.ts';
import { hrefFor } from './site/router.ts';
import { type Metadata, useSession } from './site/session.ts';
import { hasStores } from './site/site-profile.ts';

const sections = [
  ['home', 'Home'],
  ['browse', 'Products'],
  ['stores', 'Stores'],
  ['compare', 'Trip'],
  ['changes', 'Changes'],
  ['watch', 'Watch'],
  ['data', 'Data'],
  ['api', 'API'],
] as const;

/** Hides Stores and Trip on a site without stock by store, and Watch until the device keeps a list. */
function isShown(name: (typeof sections)[number][0], isListKept: boolean): boolean {
  if (name === 'watch') return isListKept;
  return hasStores() || (name !== 'stores' && name !== 'compare');
}

/** The frame around every view: the name of the site, search, navigation, and the publication. */
export function Layout({
  hasChanged,
  view,
  children,
}: {
  readonly hasChanged: boolean;
  readonly view: string;
  readonly children: ComponentChildren;
}) {
  const { metadata } = useSession();
  const { publication, service } = metadata.data;
  const isAway = useAway();
  const isListKept = useLists().kept !== null;
  return (
    <>
      <button type="button" class="skip" onClick={skip}>
        Skip to content
      </button>
      <header class="top">
        <div class="bar">
          <a class="brand" href={hrefFor('home')}>
            <b>{siteTitle(metadata)}</b>
            <span class="dateline">{siteDateline(metadata)}</span>
          </a>
          {view !== 'home' && view !== 'search' && (
            <>
              <SearchForm />
              <a class="search-link" href={hrefFor('search')}>
                Search
              </a>
            </>
          )}
        </div>
        <nav aria-label="Sections">
          <ul>
            {sections
              .filter(([name]) => isShown(name, isListKept))
              .map(([name, label]) => (
                <li key={name}>
                  <a href={hrefFor(name)} aria-current={name === view ? 'page' : undefined}>
                    {label}
                    {name === 'compare' && <TripCount />}
                  </a>
                </li>
              ))}
          </ul>
        </nav>
      </header>
      {hasChanged && (
        <div class="changed" role="alert">
          A newer publication is available. You are still seeing the previous one.{' '}
          <button type="button" onClick={() => location.reload()}>
            Reload to see it
          </button>
        </div>
      )}
      {isAway && (
        <div class="changed" role="status">
          No connection. You are seeing the publication of <Instant at={publication.published_at} />.
        </div>
      )}
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <footer>
        <p>
          Publication {publication.sequence}, published <Instant at={publication.published_at} />.
        </p>
        <FooterTerms about={metadata.data.about} />
        <p>{service.statement}</p>
      </footer>
    </>
  );
}

/** The number of products on the reader's trip; nothing if the trip is empty. */
function TripCount() {
  const { length } = useOwnTrip();
  if (length === 0) return null;
  return (
    <>
      {' '}
      <span class="count">{length}</span>
      <span class="visually-hidden">{length === 1 ? ' product' : ' products'}</span>
    </>
  );
}

/** What the operator says about the data: a notice, the license, the source and a contact. */
function FooterTerms({ about }: { readonly about: Metadata['data']['about'] }) {
  if (about === null) return null;
  const { agency, notice, license, source_url: source, contact } = about;
  return (
    <>
      {notice !== null && <p>{notice}</p>}
      <ul class="terms">
        {license !== null && (
          <li>
            Data license: {license.url === null ? license.name : <SafeLink to={license.url}>{license.name}</SafeLink>}
          </li>
        )}
        {source !== null && (
          <li>
            Source: <SafeLink to={source}>{agency ?? source}</SafeLink>
          </li>
        )}
        {contact !== null && (
          <li>
            Contact: <SafeLink to={contact.includes(':') ? contact : `mailto:${contact}`}>{contact}</SafeLink>
          </li>
        )}
      </ul>
    </>
  );
}

/** A link within the document would change the hash, which is the address of the view. */
function skip(): void {
  document.getElementById('content')?.focus();
}
