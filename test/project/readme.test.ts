import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readText, root } from './repository.ts';

const readme = readText('README.md');

/** The number of words as `wc -w` counts them, including tables and code blocks. */
function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

describe('README.md', () => {
  test('can be read in four minutes: it has at most 1,000 words', () => {
    expect(wordsIn(readme)).toBeLessThanOrEqual(1000);
  });

  test('has the two commands that set up a fresh machine', () => {
    for (const command of ['npm ci && npm start', 'npm ci && npm test']) {
      expect(readme).toMatch(new RegExp(`^${command} `, 'm'));
    }
  });

  test('leads to every page of docs/', () => {
    const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
    expect(pages.filter((name) => !readme.includes(`| [docs/${name}](docs/${name}) |`))).toEqual([]);
  });

  test('says what the data are, and what they are not', () => {
    expect(readme).toContain('Reported quantities are observations');
    expect(readme).toContain('never calls a decrease a sale');
    expect(readme).toMatch(/independent\s+of the agency/);
    expect(readme).toContain('The bundled snapshots are invented');
  });
});
