import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Failure } from '../../generator/files/failure.ts';
import { Output } from '../../generator/terminal/output.ts';
import { ProgressMeter } from '../../generator/terminal/progress-meter.ts';
import { durationText, sizeText } from '../../generator/terminal/texts.ts';
import { runInProcess } from '../support/command-in-process.ts';

const missing = ['build', '--db', '/nowhere/publication.sqlite', '--out', '/nowhere/dist'];
const why = 'no database at /nowhere/publication.sqlite: shelfpress publish creates it';

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8'));
  expect(await runInProcess('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('a failure is one line, and with --json one object beside it', async () => {
  expect(await runInProcess(...missing)).toEqual({
    code: 1,
    stdout: '',
    stderr: `shelfpress: ${why} [database_missing]\n`,
  });
  const { code, stdout, stderr } = await runInProcess(...missing, '--json');
  expect([code, stderr, JSON.parse(stdout)]).toEqual([
    1,
    `shelfpress: ${why} [database_missing]\n`,
    { ok: false, error: { code: 'database_missing', message: why } },
  ]);
});

test('--verbose adds the stack trace', async () => {
  const { code, stderr } = await runInProcess(...missing, '--verbose');
  expect(code).toBe(1);
  expect(stderr).toContain(`shelfpress: ${why} [database_missing]\n`);
  expect(stderr).toMatch(/^ {4}at /m);
});

test('help lists every command, and the help of a command is the same as with --help', async () => {
  const { code, stdout } = await runInProcess('--help');
  expect(code).toBe(0);
  expect(stdout).toContain('publish');
  expect(stdout).toContain('--version');
  const [help, option] = [await runInProcess('help', 'keygen'), await runInProcess('keygen', '--help')];
  expect([help.code, help.stdout]).toEqual([0, option.stdout]);
  expect(option.stdout).toContain('--quiet');
});

/** An output that writes into memory, on a terminal or not. */
function written(isTTY: boolean) {
  const parts: string[] = [];
  const stream = { write: (part: string) => parts.push(part), isTTY, columns: 80, hasColors: () => true };
  return { parts, output: new Output(stream as never, stream as never) };
}

test('progress is shown at terminals, from the first moment, and not with --quiet', () => {
  const { parts, output } = written(true);
  output.progress('bundling', 0, 4);
  expect(parts.join('')).toBe('\r\u001b[2Kbundling: 0 % (0 of 4)');
  output.setVerbosity({ isQuiet: true, isVerbose: false, isJson: false });
  output.progress('bundling', 3, 4);
  expect(parts).toHaveLength(1);
});

test('progress of long work is a line in a log, now and then, shared by the steps of a command', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { parts, output } = written(false);
  const step = output.forStep(() => undefined);
  for (let second = 0; second <= 60; second += 1) {
    (second % 2 === 0 ? output : step).progress('bundling', second, 60);
    vi.advanceTimersByTime(1000);
  }
  expect(parts.map((part) => part.split('(')[0])).toEqual(['bundling: 25 % ', 'bundling: 75 % ']);
  output.setVerbosity({ isQuiet: true, isVerbose: false, isJson: false });
  vi.advanceTimersByTime(60_000);
  output.progress('bundling', 1, 4);
  expect(parts).toHaveLength(2);
});

test.each([
  [true, {}, true],
  [true, { NO_COLOR: '1' }, false],
  [false, {}, false],
  [false, { FORCE_COLOR: '1' }, true],
  [true, { FORCE_COLOR: '0' }, false],
])('on a terminal: %s, with %j: in colour: %s', (isTTY, variables, coloured) => {
  for (const name of ['NO_COLOR', 'FORCE_COLOR']) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { parts, output } = written(isTTY);
  output.failure(new Failure('wrong_value', 'no'));
  expect(parts.join('').includes('\u001b[31m')).toBe(coloured);
});

test('a progress line has the stage, the share done, the rate over the last seconds, and the time left', () => {
  let now = 0;
  const meter = new ProgressMeter(() => now);
  for (const [at, done, text] of [
    [0, 0, '0 % (0 of 12,000)'],
    [500, 3000, '25 % (3,000 of 12,000)'],
    [2000, 4500, '37 % (4,500 of 12,000)'],
    [3000, 6000, '50 % (6,000 of 12,000), 2,000/s, 3.0 s left'],
    // The first seconds, when the cache answered, no longer count.
    [10_000, 6800, '56 % (6,800 of 12,000), 110/s, 46 s left'],
    [10_000, 12_000, '100 % (12,000 of 12,000)'],
  ] as const) {
    now = at;
    expect(meter.text('making', done, 12_000)).toBe(`making: ${text}`);
  }
});

test('sizes and times are rounded for people', () => {
  expect([1, 9949, 999_499, 999_600].map(sizeText)).toEqual(['1 byte', '9.9 kB', '999 kB', '1.0 MB']);
  expect([1.26, 59.7, 200, 7500].map(durationText)).toEqual(['1.3 s', '1 min', '3 min 20 s', '2 h 5 min']);
});
