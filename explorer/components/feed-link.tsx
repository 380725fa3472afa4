import { useLayoutEffect } from 'preact/hooks';
import { atomMediaType } from '../../contract/headers.ts';

/**
 * A link to the news feed of what a view shows. While the view is shown, the head of the page names the feed too, where browsers and
 * feed readers look for it. `of`: what the feed is about.
 */
export function FeedLink({ url, of }: { readonly url: string; readonly of: string }) {
  useLayoutEffect(() => {
    const link = Object.assign(document.createElement('link'), { rel: 'alternate', type: atomMediaType, href: url });
    link.title = `News of ${of}`;
    document.head.append(link);
    return () => link.remove();
  }, [url, of]);
  return (
    <span class="feed">
      <a href={url} type={atomMediaType}>
        Follow in a feed reader
      </a>
    </span>
  );
}
