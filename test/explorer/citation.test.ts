import { expect, test } from 'vitest';
import { citation } from '../../explorer/views/snippets.ts';

const publication = { revision: 'a286b3df', sequence: 12, published_at: '2025-06-05T22:00:00Z' };

test('a citation names what the operator states, and its DOI', () => {
  const stated = { title: 'Orchard prices', agency: 'Orchard Board', doi: '10.5281/zenodo.1234567' };
  const end =
    'publication 12, revision a286b3df, published 2025-06-05T22:00:00Z, retrieved from https://x.example on 2025-06-06';
  const of = (about: Parameters<typeof citation>[0]) => citation(about, publication, 'https://x.example', '2025-06-06');
  expect(of(stated)).toBe(`Orchard prices of Orchard Board, ${end}, https://doi.org/10.5281/zenodo.1234567.`);
  expect(of({ ...stated, agency: null, doi: null })).toBe(`Orchard prices, ${end}.`);
  expect(of(null)).toBe(`Reported inventory, ${end}.`);
});
