import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = new URL('../../shim/', import.meta.url);

test.each(readdirSync(folder))('shim/%s runs wherever Request and Response do', (file) => {
  const source = readFileSync(new URL(file, folder), 'utf8');
  const imports = [...source.matchAll(/from '([^']+)'/g)].map(([, name]) => name as string);
  expect(imports.filter((name) => !/^(\.\/|\.\.\/generator\/contract\/|zod$)/.test(name))).toEqual([]);
  expect(source).not.toMatch(/\b(Buffer|process|require|setImmediate|__dirname)\b[.(]/);
});
