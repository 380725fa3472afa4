import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { help as serveHelp } from '../../shim/node/options.ts';
import { RunningServer } from '../serve/running-server.ts';
import { programFile } from '../support/programs.ts';
import { readText, root } from './repository.ts';

const readme = readText('README.md');
const cli = [process.execPath, programFile('generator/cli.ts')];

/** On a terminal of a fixed width. */
const wide = { encoding: 'utf8', env: { ...process.env, COLUMNS: '80' } } as const;

/** What a command prints as its help. */
function helpOf(...command: string[]): string {
  const [program = '', ...args] = cli;
  const { stdout, stderr, status } = spawnSync(program, [...args, ...command, '--help'], wide);
  expect({ stderr, status }, `${command.join(' ')} --help`).toEqual({ stderr: '', status: 0 });
  return stdout;
}

function commandsIn(help: string): string[] {
  const [, list = ''] = help.split('\nCommands:\n');
  return [...list.matchAll(/^ {2}(\S+)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help');
}

function flagsIn(text: string): string[] {
  return [...new Set([...text.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([flag]) => flag))].sort();
}

/** What the README says below a heading such as "### `build`", up to the next heading. */
function sectionOf(command: string): string {
  const [, rest = ''] = readme.split(`\n### \`${command}\`\n`);
  return rest.split(/\n##/)[0] ?? '';
}

describe('the reference', () => {
  const commands = commandsIn(helpOf());

  test('has every command, and no other', () => {
    const headings = [...readme.matchAll(/^### `([^`]+)`$/gm)].map(([, name]) => name);
    expect(headings.sort()).toEqual([...commands, 'serve.ts'].sort());
  });

  test('is of what npm starts', () => {
    const { stdout, status } = spawnSync('npm', ['run', '-s', 'shelfpress', '--', '--help'], { ...wide, cwd: root });
    expect([stdout, status]).toEqual([helpOf(), 0]);
  });

  test.each(commands)('has every flag of %s, and no other', (command) => {
    expect(flagsIn(sectionOf(command))).toEqual(flagsIn(helpOf(command)));
  });

  test('has every flag and variable of serve.ts, and no other', () => {
    const section = sectionOf('serve.ts');
    expect(flagsIn(section)).toEqual(flagsIn(serveHelp));
    for (const [variable] of serveHelp.matchAll(/(?<=\()[A-Z]{2,}(?=;)/g)) expect(section).toContain(`\`${variable}\``);
    for (const [value] of serveHelp.matchAll(/(?<=default: )[\d.]+(?=\))/g)) expect(section).toContain(`\`${value}\``);
  });
});

type Example = { readonly title: string; readonly commands: string; readonly printed: string };

/** The console blocks: lines that begin with a dollar sign are typed, the others are what was printed then. */
const examples: Example[] = [...readme.matchAll(/^```console\n(.*?)^```$/gms)].map(([, block = '']) => {
  const lines = block.trimEnd().split('\n');
  const commands = lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2));
  const printed = lines.filter((line) => !line.startsWith('$ ')).join('\n');
  return { title: commands[0] ?? '', commands: commands.join('\n'), printed };
});

/** Where the text differs from the pattern, in which … stands for anything; null where it does not. */
function difference(pattern: string, text: string): string | null {
  const parts = pattern.split('…');
  let position = 0;
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const found = isLast && index > 0 ? Math.max(position, text.length - part.length) : text.indexOf(part, position);
    const fits =
      text.startsWith(part, found) && (index > 0 || found === 0) && (!isLast || found + part.length === text.length);
    if (found < 0 || !fits)
      return `expected ${JSON.stringify(part)} in ${JSON.stringify(text.slice(position, position + 2000))}`;
    position = found + part.length;
  }
  return null;
}

describe('the tour', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shelfpress-readme-'));
  let server: RunningServer;
  beforeAll(async () => {
    symlinkSync(`${root}fixtures`, join(folder, 'fixtures'));
    server = await RunningServer.start([], {}, folder);
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  test('begins with what the server prints first', () => {
    expect(server.output.stdout.replace(String(server.port), '8080').trim()).toBe(
      'Shelfpress serves dist at http://127.0.0.1:8080/v1',
    );
    expect(readme).toContain('\nShelfpress serves dist at http://127.0.0.1:8080/v1\n');
  });

  const hasCurl = spawnSync('curl', ['--version']).status === 0;

  test.for(examples)('$title', { timeout: 60_000 }, ({ commands, printed }, { skip }) => {
    skip(commands.includes('curl ') && !hasCurl, 'curl is not installed');
    const script = commands
      .replaceAll('npm run -s shelfpress --', cli.map((word) => `'${word}'`).join(' '))
      .replaceAll('127.0.0.1:8080', `${server.host}:${server.port}`);
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(difference(printed, stdout.replaceAll('\r', '').trimEnd())).toBeNull();
  });
});
