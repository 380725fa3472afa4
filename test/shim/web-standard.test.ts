import { expect, test } from 'vitest';
import { readText, sourcesIn } from '../project/repository.ts';

test.each(sourcesIn('shim'))('%s runs wherever Request and Response do', (file) => {
  expect(readText(file)).not.toMatch(/(?<!\.)\b(Buffer|process|require|setImmediate|__dirname)\b[.(]/);
});
