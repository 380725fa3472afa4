import { instantText } from '../text/text.ts';

/** An instant in the zone of the page, with UTC at hand where that is another. */
export function Instant({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={instantText(at, 'UTC')}>
      {instantText(at)}
    </time>
  );
}
