import { countText } from '../text/text.ts';

/** A part of a list, and how many rows it has where that is known. */
export type Tab = {
  readonly label: string;
  readonly href: string;
  readonly isCurrent: boolean;
  readonly count?: number | null;
};

/** Links to the parts of a list, of which one is shown. */
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
