import { useLayoutEffect } from 'preact/hooks';
import { atomMediaType } from '../../contract/headers.ts';

/**
 * A link to the news feed of what a view shows. While the view is shown, the head of the page names the feed too, where browsers and
 * feed readers look for it. `about`: what the feed is about.
 */
export function FeedLink({ url, about }: { readonly url: string; readonly about: string }) {
  useLayoutEffect(() => {
    const link = Object.assign(document.createElement('link'), { rel: 'alternate', type: atomMediaType, href: url });
    link.title = `News of ${about}`;
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
