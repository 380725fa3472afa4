import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** A disclosure whose content is created when it is first opened. */
export function LaterDetails({
  summary,
  children,
  ...rest
}: {
  readonly summary: ComponentChildren;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly id?: string;
}) {
  const [isOpened, setOpened] = useState(false);
  return (
    <details {...rest} onToggle={() => setOpened(true)}>
      <summary>{summary}</summary>
      {isOpened && children}
    </details>
  );
}
