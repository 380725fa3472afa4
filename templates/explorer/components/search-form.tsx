import { useEffect, useRef } from 'preact/hooks';
import { placeOf } from '../app/router.ts';

/** A field for words that leads to the view of the hits. The key / goes to it from anywhere in the page. */
export function SearchForm({ isLarge = false }: { readonly isLarge?: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping = (event.target as Element | null)?.closest('input, textarea, select, [contenteditable]');
      if (event.key !== '/' || isTyping) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
  const submit = (event: Event) => {
    event.preventDefault();
    const words = input.current?.value.trim() ?? '';
    if (words !== '') location.hash = placeOf('search', '', { q: words });
  };
  return (
    <search class={isLarge ? 'large' : undefined}>
      <form class="search" onSubmit={submit}>
        <input
          ref={input}
          type="search"
          name="q"
          maxLength={200}
          placeholder="Search products, brands, stores"
          aria-label="Search products, families, brands and stores"
        />
        <button type="submit" class={isLarge ? 'main' : undefined}>
          Search
        </button>
      </form>
    </search>
  );
}
