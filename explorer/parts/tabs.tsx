import { countText } from './text.ts';

/** A part of a list, with its number of rows if known. */
export type Tab = {
  readonly label: string;
  readonly href: string;
  readonly isCurrent: boolean;
  readonly count?: number | null;
};

/** Links to the parts of a list, one of which is current. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ label, href, isCurrent, count = null }) => (
        <a key={label} href={href} aria-current={isCurrent ? 'true' : undefined}>
          {label}
          {count !== null && <span class="muted"> {countText(count)}</span>}
        </a>
      ))}
    </nav>
  );
}
