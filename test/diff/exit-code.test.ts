import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { runCommand } from '../support/command-line.ts';

test('the exit code and standard error tell equal, different and failed apart', async () => {
  const database = join(inject('publishedFixtures'), '2.sqlite');
  const [equal, different, failed] = await Promise.all([
    runCommand('diff', database, `${database}@2`),
    runCommand('diff', `${database}@1`, database, '--json'),
    runCommand('diff', database, `${database}@3`, '--json'),
  ]);
  expect([equal.code, equal.stderr]).toEqual([0, '']);
  expect([different.code, different.stderr]).toEqual([1, '']);
  const message = `${database}: expected a sequence from 1 to 2 or a revision after the @, got 3`;
  expect([failed.code, failed.stderr]).toEqual([1, `shelfpress: ${message}\n`]);
  expect(JSON.parse(failed.stdout)).toEqual({ ok: false, error: { message } });
});
