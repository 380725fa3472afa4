import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** Details whose content is made when they are first opened. */
export function LaterDetails({
  summary,
  children,
}: {
  readonly summary: string;
  readonly children: ComponentChildren;
}) {
  const [isOpened, setOpened] = useState(false);
  return (
    <details onToggle={() => setOpened(true)}>
      <summary>{summary}</summary>
      {isOpened && children}
    </details>
  );
}
