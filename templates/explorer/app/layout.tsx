import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { instantText } from '../components/text.ts';
import { placeOf } from './router.ts';
import { useSession } from './session.ts';

const sections = [
  ['home', 'Home'],
  ['browse', 'Products'],
  ['stores', 'Stores'],
  ['compare', 'Compare'],
  ['changes', 'Changes'],
  ['data', 'Data'],
  ['api', 'API'],
] as const;

/** What stands around every view: the name of the site, the search, the sections, and what is published. */
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
  return (
    <>
      <button type="button" class="skip" onClick={skip}>
        Skip to the content
      </button>
      <header class="top">
        <div class="bar">
          <a class="brand" href={placeOf('home')}>
            {siteTitle(metadata)}
          </a>
          <SearchBox />
        </div>
        <nav aria-label="Sections">
          <ul>
            {sections.map(([name, label]) => (
              <li key={name}>
                <a href={placeOf(name)} aria-current={name === view ? 'page' : undefined}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      {hasChanged && (
        <div class="changed" role="alert">
          A newer publication is out. This page shows one publication at a time.{' '}
          <button type="button" onClick={() => location.reload()}>
            Reload to see it
          </button>
        </div>
      )}
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <footer>
        <p>
          Publication {publication.sequence}, published {instantText(publication.published_at)}.
        </p>
        <p>{service.statement}</p>
      </footer>
    </>
  );
}

/** The name of the site, as its publisher states it. */
function siteTitle({ data }: ReturnType<typeof useSession>['metadata']): string {
  return data.service.name;
}

/** A link within the page would change the hash, which is the address of the view. */
function skip(): void {
  document.getElementById('content')?.focus();
}

function SearchBox() {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping = (event.target as Element | null)?.closest('input, textarea, select, [contenteditable]');
      if (event.key !== '/' || isTyping) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
  const submit = (event: Event) => {
    event.preventDefault();
    const words = input.current?.value.trim() ?? '';
    if (words !== '') location.hash = placeOf('search', '', { q: words });
  };
  return (
    <search>
      <form class="search" onSubmit={submit}>
        <input
          ref={input}
          type="search"
          name="q"
          maxLength={200}
          placeholder="Search products, brands, stores"
          aria-label="Search products, families, brands and stores"
        />
        <button type="submit">Search</button>
      </form>
    </search>
  );
}
