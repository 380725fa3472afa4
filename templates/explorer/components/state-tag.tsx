import type { PairState } from '../../../generator/contract/primitives.ts';
import { lookMeanings, lookOfState } from '../map/looks.tsx';

/** What a state says, in the words of maps. */
export function stateText(state: PairState): string {
  return lookMeanings[lookOfState[state]];
}

/** What is known of a product in a store. Each state has a mark of its own besides its colour, shaped as on maps. */
export function StateTag({ state }: { readonly state: PairState }) {
  return <span class={`tag state ${lookOfState[state]}`}>{stateText(state)}</span>;
}
