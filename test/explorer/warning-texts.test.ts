import { expect, test } from 'vitest';
import { warningMeanings } from '../../generator/contract/documents/envelope.ts';
import { warningTexts } from '../../templates/explorer/components/warning-texts.ts';

test('the page says of warnings what the contract says', () => {
  const sentences = Object.entries(warningMeanings).map(([code, meaning]) => [
    code,
    `${meaning.slice(0, 1).toUpperCase()}${meaning.slice(1)}.`,
  ]);
  expect(warningTexts).toEqual(Object.fromEntries(sentences));
});
