import { CopyButton } from './copy-button.tsx';

/** Lines to copy. */
export function CodeBlock({
  title,
  text,
  wraps = false,
}: {
  readonly title: string;
  readonly text: string;
  /** Whether it is prose, which may be broken anywhere. */
  readonly wraps?: boolean;
}) {
  return (
    <figure class="code-block">
      <figcaption>
        {title} <CopyButton text={text} what={title} />
      </figcaption>
      {/* Focus lets the keyboard scroll lines that are wider than the page. */}
      <pre tabIndex={0} class={wraps ? 'wraps' : undefined}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}
