import { instantText } from './text.ts';

/** A time in the site's time zone, with UTC as a tooltip. */
export function Instant({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={instantText(at, 'UTC')}>
      {instantText(at)}
    </time>
  );
}
