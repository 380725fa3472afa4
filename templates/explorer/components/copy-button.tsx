import { useState } from 'preact/hooks';

/** Copies a text, and says so. `what` completes "Copy …" for readers of the label. `label`: what it says before it is pressed. */
export function CopyButton({
  text,
  what,
  label = 'Copy',
}: {
  readonly text: string;
  readonly what: string;
  readonly label?: string;
}) {
  const [said, setSaid] = useState<string | null>(null);
  const copy = () => {
    // Browsers give a clipboard only to pages that came over HTTPS, or from this machine.
    if (!('clipboard' in navigator)) {
      setSaid('Not allowed');
      return;
    }
    navigator.clipboard.writeText(text).then(
      () => setSaid('Copied'),
      () => setSaid('Not allowed'),
    );
  };
  return (
    <button type="button" class="small" onClick={copy} aria-label={said ?? `Copy ${what}`}>
      {said ?? label}
    </button>
  );
}
