import { expect, test } from 'vitest';
import { readText, sourcesIn } from '../project/repository.ts';

const portable = sourcesIn('shim').filter((file) => !file.startsWith('shim/node/'));

test.each(portable)('%s runs wherever Request and Response exist', (file) => {
  expect(readText(file)).not.toMatch(/(?<!\.)\b(Buffer|process|require|setImmediate|__dirname)\b[.(]/);
});
