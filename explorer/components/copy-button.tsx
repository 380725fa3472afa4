import { useEffect, useState } from 'preact/hooks';

/** Milliseconds for which it says that it copied. */
const saidMs = 4000;

/**
 * Copies a text, and says so for a moment. `text`: as it is when the button is pressed. `what` completes "Copy …" for readers of the
 * label. `label`: what the button says otherwise.
 */
export function CopyButton({
  text,
  what,
  label = 'Copy',
}: {
  readonly text: string | (() => string);
  readonly what: string;
  readonly label?: string;
}) {
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => setSaid(null), saidMs);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = () => {
    // Browsers give a clipboard only to pages that came over HTTPS, or from this machine.
    if (!('clipboard' in navigator)) {
      setSaid('Not allowed');
      return;
    }
    navigator.clipboard.writeText(typeof text === 'string' ? text : text()).then(
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
