import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Failure } from '../../generator/files/failure.ts';
import { Output } from '../../generator/terminal/output.ts';
import { shortLine } from '../../shim/node/log.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { folderForFile } from '../support/temporary-folder.ts';

/* Names and texts that would control a terminal, or add a line to cron's mail. */

const folder = folderForFile();

const hostile = 'a\u001b[2J\nshelfpress: all is well\r\u0007\u202e\u009b';
const shown = 'a\\u{1b}[2J\\u{a}shelfpress: all is well\\u{d}\\u{7}\\u{202e}\\u{9b}';

/** An output, and what it printed. */
function recorded(isTTY = false) {
  const written = { out: '', error: '' };
  const stream = (name: keyof typeof written) => ({
    isTTY,
    columns: 500,
    hasColors: () => isTTY,
    write: (text: string) => {
      written[name] += text;
    },
  });
  return { output: new Output(stream('out') as never, stream('error') as never), written };
}

test('every line for people is escaped, and stays a line', () => {
  const { output, written } = recorded();
  output.result({}, [`one ${hostile}`, 'two']);
  output.served(hostile, []);
  output.notice(hostile);
  output.error(hostile, { text: hostile, style: 'yellow' });
  output.explain(new Failure('file', hostile, { lines: [`first ${hostile}`, `last ${hostile}`] }), 'refused: ');
  expect(written.out).toBe(`one ${shown}\ntwo\n${shown}\n`);
  expect(written.error).toBe(
    `${shown}\n${shown} ${shown}\nfirst ${shown}\nshelfpress: refused: last ${shown} [file]\n`,
  );
});

test('so are progress, stack traces and what a server shows at a terminal', () => {
  const { output, written } = recorded(true);
  output.progress(`reading ${hostile}`, 1, 4);
  output.clearProgress();
  expect(written.error).toBe(`\r\u001b[2Kreading ${shown}: 25 % (1 of 4)\r\u001b[2K`);
  output.served('', [{ title: 'Folder', text: hostile }]);
  expect(written.out).toContain(` ${shown}\n`);
  expect(written.out.split('\n')).toHaveLength(4);

  const verbose = recorded();
  verbose.output.setVerbosity({ isQuiet: false, isVerbose: true, isJson: false });
  verbose.output.failure(new Failure('file', hostile));
  const [message, head, ...trace] = verbose.written.error.trimEnd().split('\n');
  expect([message, head]).toEqual([`shelfpress: ${shown} [file]`, `Failure: ${shown}`]);
  for (const line of trace) expect(line).toMatch(/^ {4}at /);
});

test('JSON, and text that is itself a result, are not changed', () => {
  const { output, written } = recorded();
  output.setVerbosity({ isQuiet: false, isVerbose: false, isJson: true });
  output.result({ name: hostile }, ['not this']);
  output.write(`{\n\t"a": 1\n}\n`);
  const [json, ...rest] = written.out.split('\n');
  expect(JSON.parse(json ?? '')).toEqual({ name: hostile });
  expect(rest.join('\n')).toBe(`{\n\t"a": 1\n}\n`);
});

/** A control character, or a line made by the hostile name. */
const steering = /(?!\n)\p{Cc}|^shelfpress: done/mu;

const name = 'x\u001b]0;title\u0007\nshelfpress: done';

test.each([
  [['verify', join(folder, name)]],
  [['publish', join(folder, name), '--db', join(folder, 'a.sqlite')]],
  [['publish', 'fixtures/01-2025-03-03', '--db', join(folder, name, 'a.sqlite')]],
  [['check', join(folder, 'snapshot', name)]],
  [['build', '--db', join(folder, name), '--out', join(folder, 'site')]],
  [[name]],
  [['serve', folder, `--${name}`]],
  [['build', '--exports', name]],
  [['mirror', `ftp://${name}`, folder]],
])('names from the command line are escaped: %j', async (args) => {
  mkdirSync(join(folder, 'snapshot', name), { recursive: true });
  const { code, stdout, stderr } = await runInProcess(...args);
  expect(code).not.toBe(0);
  expect(stdout + stderr).toContain('x\\u{1b}]0;title\\u{7}\\u{a}shelfpress: done');
  expect(stdout + stderr).not.toMatch(steering);
});

test('a guess at the command is on its own line', async () => {
  const { stderr } = await runInProcess('publsh');
  expect(stderr).toBe("error: unknown command 'publsh'\n(Did you mean publish?)\n");
});

test('the text of a host is escaped', async () => {
  const pointer = JSON.stringify({ [name]: 1, format: name });
  const host = createServer((_, response) => response.end(pointer)).listen(0, '127.0.0.1');
  const { port } = await new Promise<AddressInfo>((resolve) =>
    host.once('listening', () => resolve(host.address() as AddressInfo)),
  );
  const { code, stdout, stderr } = await runInProcess('status', `http://127.0.0.1:${port}`);
  host.close();
  expect(code).toBe(1);
  expect(stdout + stderr).not.toMatch(steering);
});

test('update escapes the names of files in a snapshot', async () => {
  const [settings, incoming] = [join(folder, 'shelfpress.json'), join(folder, 'incoming')];
  writeFileSync(settings, '{}');
  mkdirSync(join(incoming, '2025-03-03'), { recursive: true });
  writeFileSync(join(incoming, name), '');
  const { stdout, stderr } = await runInProcess('update', '--settings', settings);
  expect(stdout + stderr).toContain('\\u{1b}]0;title');
  expect(stdout + stderr).not.toMatch(steering);
});

test('so are short log lines', () => {
  const line = shortLine({ level: 'warn', time: '2025-06-05T22:00:00Z', msg: hostile });
  expect(line.endsWith(shown)).toBe(true);
});
