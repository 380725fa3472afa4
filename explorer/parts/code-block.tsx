import { CopyButton } from './copy-button.tsx';

/** A text to copy. */
export function CodeBlock({
  title,
  text,
  wraps = false,
}: {
  readonly title: string;
  readonly text: string;
  /** Whether it is prose, which may wrap anywhere. */
  readonly wraps?: boolean;
}) {
  return (
    <figure class="code-block">
      <figcaption>
        {title} <CopyButton text={text} what={title} />
      </figcaption>
      {/* Focusable, so that the keyboard can scroll lines that are wider than the window. */}
      <pre tabIndex={0} class={wraps ? 'wraps' : undefined}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}
