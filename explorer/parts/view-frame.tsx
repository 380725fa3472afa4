import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { currentHistoryStep } from '../site/history-values.ts';
import { comeBack } from '../site/scrolling.ts';
import { useSession } from '../site/session.ts';
import { CopyButton } from './copy-button.tsx';
import { ProofCheck } from './proof-check.tsx';
import { siteTitle } from './site-title.ts';

/** A document that a view is made from. */
export type Source = { readonly label: string; readonly url: string };

let isFirstView = true;

/**
 * The frame of a view: its heading, which gets the focus when the reader comes here, its content, and the addresses of
 * its data. The document's title, shown in link previews, has the heading and the site's name.
 */
export function ViewFrame({
  title,
  isHome = false,
  language,
  sources = [],
  lead,
  share,
  children,
}: {
  readonly title: string;
  /** Whether the document's title is the site's name alone. */
  readonly isHome?: boolean;
  /** The language of the title, if it is not English. */
  readonly language?: string | undefined;
  readonly sources?: readonly Source[];
  readonly lead?: ComponentChildren;
  /** Buttons to share the view. */
  readonly share?: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  const { metadata } = useSession();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const site = siteTitle(metadata);
    document.title = isHome ? site : `${title} · ${site}`;
  }, [title]);
  useEffect(() => {
    // The first view leaves the focus where the browser puts it.
    if (isFirstView) isFirstView = false;
    else heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, []);
  // Going back may stay within the view.
  useEffect(comeBack, [currentHistoryStep()]);
  return (
    <article>
      <div class="title-line">
        <h1 ref={heading} tabIndex={-1} lang={language}>
          {title}
        </h1>
        {share}
      </div>
      {lead && <div class="lead">{lead}</div>}
      {children}
      {sources.length > 0 && <Sources sources={sources} />}
    </article>
  );
}

/** Links to the documents that a view is made from, each with a command that fetches it. */
function Sources({ sources }: { readonly sources: readonly Source[] }) {
  return (
    <details class="sources">
      <summary>Sources: documents and their hashes</summary>
      <ul>
        {sources.map(({ label, url }) => (
          <li key={url}>
            {label}: <a href={url}>JSON</a> <code>{curlCommand(url)}</code>{' '}
            <CopyButton text={curlCommand(url)} what={`the curl command for ${label}`} />{' '}
            {!url.includes('?') && <ProofCheck label={label} url={url} />}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** A shell command. A quote in the URL would end the quotes around it. */
export function curlCommand(url: string): string {
  return `curl --compressed '${url.replaceAll("'", '%27')}'`;
}
