import { expect, test } from 'vitest';
import { parseEngineSite, parseEngineUrl } from '../../generator/catalogs/engine-url.ts';

test.each([
  ['s3://bucket/site', 's3://bucket/site'],
  ['s3://bucket/site/v1/', 's3://bucket/site'],
  ['https://example.org//v1', 'https://example.org'],
  ['file:///srv/site', 'file:///srv/site'],
  ['abfss://container@account.dfs.core.windows.net/site', 'abfss://container@account.dfs.core.windows.net/site'],
])('%s is where engines find a site', (text, expected) => {
  expect(parseEngineSite(text)).toBe(expected);
});

test('the folder of a mirror may be called v1', () => {
  expect(parseEngineUrl('file:///srv/v1/')).toBe('file:///srv/v1');
});

test.each([
  '',
  'site',
  '/srv/site',
  'file:///',
  's3://b/"x',
  's3://b/a b',
  'https://example.org/?x',
  's3://b/../x',
  'https://:443',
])('%j is no URL of a site', (text) => {
  expect(() => parseEngineSite(text)).toThrow(/expected a URL without a query, such as s3:/);
});

test.each(['https://me:secret@example.org', 's3://key:secret@bucket/x'])(
  'a password is refused, and not repeated',
  (text) => {
    expect(() => parseEngineSite(text)).toThrow(/expected a URL without a user name and a password/);
    expect(() => parseEngineSite(text)).not.toThrow(/secret/);
  },
);
