import type { ComponentChildren } from 'preact';

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
