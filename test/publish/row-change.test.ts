import { expect, test } from 'vitest';
import { baselineText, rowChangeText } from '../../generator/publish/row-change.ts';

const quantities = [undefined, 0, 1, 2, 98, 99, 100, 101, 198, 199, Number.MAX_SAFE_INTEGER];

function stateOf(quantity: number | undefined) {
  if (quantity === undefined) return { state: 'row_absent', reported_quantity: null };
  return { state: quantity === 0 ? 'reported_zero' : 'reported_positive', reported_quantity: quantity };
}

test('the text of a change is its own, the first time and later', () => {
  for (const _ of [1, 2]) {
    for (const was of quantities) {
      for (const now of quantities) {
        const difference = was === undefined || now === undefined ? null : now - was;
        expect(JSON.parse(rowChangeText(was, now))).toEqual({
          previous: stateOf(was),
          current: stateOf(now),
          difference,
        });
      }
      expect(JSON.parse(baselineText(was))).toEqual({ current: stateOf(was) });
    }
  }
});
