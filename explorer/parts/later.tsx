import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

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

/** Milliseconds after which a view adds secondary content, so that a slow phone shows the rest sooner. */
export const afterFirstPicture = 150;

/** Whether `ms` milliseconds have passed since the component was first drawn. */
export function useLater(ms: number): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), ms);
    return () => clearTimeout(timer);
  }, []);
  return isLater;
}
