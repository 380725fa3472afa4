import type { ComponentChildren } from 'preact';
import { type Look, lookMeanings } from '../map/looks.tsx';

/**
 * What is known about a product in a store. Each look has a mark besides its colour, with the same shape as on maps.
 * `limit`: why not everyone may buy it there, shown in place of the state.
 */
export function StateTag({ look, limit = null }: { readonly look: Look; readonly limit?: string | null }) {
  return <span class={`tag state ${look}`}>{limit ?? lookMeanings[look]}</span>;
}

/** Says that not everyone may buy what is reported. */
export function LimitTag({ children }: { readonly children: ComponentChildren }) {
  return <span class="tag state limited">{children}</span>;
}
