import type { Move } from './move.ts';

/** A rise or fall with an arrow, words and a colour. */
export function Moved({ move: { isUp, text } }: { readonly move: Move }) {
  return (
    <span class={isUp ? 'number up' : 'number down'}>
      <span aria-hidden="true">{isUp ? '▲' : '▼'}</span> {text}
    </span>
  );
}
