import { expect, test } from 'vitest';
import { readText, sourcesIn } from './repository.ts';

const widest = 120;

test('no line of a comment is wider than code may be', () => {
  const folders = ['bench', 'bin', 'client', 'contract', 'explorer', 'generator', 'shim', 'test'];
  const wide = folders.flatMap(sourcesIn).flatMap((file) =>
    readText(file)
      .split('\n')
      .flatMap((line, index) =>
        /^\s*(?:\/\/|\/?\*)/.test(line) && line.length > widest ? [`${file}:${index + 1}`] : [],
      ),
  );
  expect(wide).toEqual([]);
});
