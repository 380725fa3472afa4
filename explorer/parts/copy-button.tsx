import { useEffect, useState } from 'preact/hooks';

/** Milliseconds for which the button says that it copied. */
const saidMs = 4000;

/**
 * A button that copies text and briefly says so. A function for `text` is called when the button is pressed. `what`
 * completes “Copy …” for screen readers. `label`: the visible text.
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
    // Browsers provide a clipboard only over HTTPS or on localhost.
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
