import { useState } from 'preact/hooks';

/** Copies a text, and says so. `what` completes "Copy …" for readers of the label. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [said, setSaid] = useState('Copy');
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setSaid('Copied'),
      () => setSaid('Not allowed'),
    );
  };
  return (
    <button type="button" class="small" onClick={copy} aria-label={said === 'Copy' ? `Copy ${what}` : said}>
      {said}
    </button>
  );
}
