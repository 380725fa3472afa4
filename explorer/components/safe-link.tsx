import type { ComponentChildren } from 'preact';

const schemes = ['http:', 'https:', 'mailto:', 'tel:', 'geo:'];

/** A link whose address comes from data. An address of another scheme, such as `javascript:`, is only text. */
export function SafeLink({ to, children }: { readonly to: string; readonly children?: ComponentChildren }) {
  if (!URL.canParse(to) || !schemes.includes(new URL(to).protocol)) return <>{children ?? to}</>;
  return (
    <a href={to} rel="noreferrer">
      {children ?? to}
    </a>
  );
}
