import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { Output } from '../../generator/commands/command-line.ts';
import { Failure } from '../../generator/failure.ts';
import { runInProcess } from '../support/command-in-process.ts';

const missing = ['build', '--db', '/nowhere/publication.sqlite', '--out', '/nowhere/dist'];
const why = 'no database at /nowhere/publication.sqlite: expected one made by publish';

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8'));
  expect(await runInProcess('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('a failure is one line, and with --json one object beside it', async () => {
  expect(await runInProcess(...missing)).toEqual({ code: 1, stdout: '', stderr: `shelfpress: ${why}\n` });
  const { code, stdout, stderr } = await runInProcess(...missing, '--json');
  expect([code, stderr, JSON.parse(stdout)]).toEqual([
    1,
    `shelfpress: ${why}\n`,
    { ok: false, error: { message: why } },
  ]);
});

test('--verbose adds the stack trace', async () => {
  const { code, stderr } = await runInProcess(...missing, '--verbose');
  expect(code).toBe(1);
  expect(stderr).toContain(`shelfpress: ${why}\n`);
  expect(stderr).toMatch(/^ {4}at /m);
});

test('help lists every command, and help of a command is that of --help', async () => {
  const { code, stdout } = await runInProcess('--help');
  expect(code).toBe(0);
  expect(stdout).toContain('publish');
  expect(stdout).toContain('--version');
  const [help, option] = [await runInProcess('help', 'keygen'), await runInProcess('keygen', '--help')];
  expect([help.code, help.stdout]).toEqual([0, option.stdout]);
  expect(option.stdout).toContain('--quiet');
});

test.each([
  [['nosuch'], "unknown command 'nosuch'"],
  [['keygen', '--nosuch'], "unknown option '--nosuch'"],
  [['build', '--db', 'x'], "required option '--out <dir>' not specified"],
])('%j is wrong usage', async (args, message) => {
  const { code, stdout, stderr } = await runInProcess(...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
});

/** An output that writes into memory, on a terminal or not. */
function written(isTTY: boolean) {
  const parts: string[] = [];
  const stream = { write: (part: string) => parts.push(part), isTTY, columns: 80, hasColors: () => true };
  return { parts, output: new Output(stream as never, stream as never) };
}

test('progress is for terminals, from the first moment on, and --quiet has none', () => {
  const { parts, output } = written(true);
  output.progress('bundling', 0, 4);
  expect(parts.join('')).toBe('\r\u001b[2Kbundling: 0 % (0 of 4)');
  output.speakAs({ isQuiet: true, isVerbose: false, isJson: false });
  output.progress('bundling', 3, 4);
  expect(parts).toHaveLength(1);
  const file = written(false);
  file.output.progress('bundling', 0, 4);
  expect(file.parts).toEqual([]);
});

test.each([
  [true, {}, true],
  [true, { NO_COLOR: '1' }, false],
  [false, {}, false],
  [false, { FORCE_COLOR: '1' }, true],
  [true, { FORCE_COLOR: '0' }, false],
])('on a terminal: %s, with %j: in colour: %s', (isTTY, variables, coloured) => {
  const before = { NO_COLOR: process.env.NO_COLOR, FORCE_COLOR: process.env.FORCE_COLOR };
  try {
    for (const name of ['NO_COLOR', 'FORCE_COLOR'] as const) delete process.env[name];
    Object.assign(process.env, variables);
    const { parts, output } = written(isTTY);
    output.failure(new Failure('no'));
    expect(parts.join('').includes('\u001b[31m')).toBe(coloured);
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
});
