import { countText, priceText } from './text.ts';

/** A rise or fall with an arrow, words and a colour. */
export function Moved({ move: { isUp, text } }: { readonly move: Move }) {
  return (
    <span class={isUp ? 'number up' : 'number down'}>
      <span aria-hidden="true">{isUp ? '▲' : '▼'}</span> {text}
    </span>
  );
}

/** A rise or fall in words, such as `up $1.00 (8.3 %)`. */
export type Move = { readonly isUp: boolean; readonly text: string };

/** How a price moved; null if it did not, or if either price is unknown. */
export function priceMove(before: number | null, now: number | null): Move | null {
  const move = describeMove(before, now, priceText);
  if (move === null || !before) return move;
  const percent = (Math.abs((now ?? before) / before - 1) * 100).toFixed(1);
  return { ...move, text: `${move.text} (${percent} %)` };
}

/** How a count moved; null if it did not. */
export function countMove(before: number | null, now: number | null): Move | null {
  return describeMove(before, now, countText);
}

function describeMove(before: number | null, now: number | null, textOf: (difference: number) => string): Move | null {
  if (before === null || now === null || before === now) return null;
  const isUp = now > before;
  return { isUp, text: `${isUp ? 'up' : 'down'} ${textOf(Math.abs(now - before))}` };
}
