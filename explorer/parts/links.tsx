import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { atomMediaType } from '../../contract/headers.ts';

const schemes = ['http:', 'https:', 'mailto:', 'tel:', 'geo:'];

/** A link whose URL comes from data. Other schemes, such as `javascript:`, become plain text. */
export function SafeLink({ to, children }: { readonly to: string; readonly children?: ComponentChildren }) {
  if (!URL.canParse(to) || !schemes.includes(new URL(to).protocol)) return <>{children ?? to}</>;
  return (
    <a href={to} rel="noreferrer">
      {children ?? to}
    </a>
  );
}

/**
 * A link to a news feed. While it is shown, the head of the document also names the feed, where browsers and feed
 * readers look for it. `about`: the subject of the feed.
 */
export function FeedLink({ url, about }: { readonly url: string; readonly about: string }) {
  useLayoutEffect(() => {
    const link = Object.assign(document.createElement('link'), { rel: 'alternate', type: atomMediaType, href: url });
    link.title = `News about ${about}`;
    document.head.append(link);
    return () => link.remove();
  }, [url, about]);
  return (
    <span class="feed">
      <a href={url} type={atomMediaType}>
        Follow in a feed reader
      </a>
    </span>
  );
}
