import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { runInProcess } from '../support/command-in-process.ts';
import { readText, root } from './repository.ts';

const page = readText('docs/cli.md');

/** Simulates a terminal of fixed width. */
const wide = { encoding: 'utf8', env: { ...process.env, COLUMNS: '80' } } as const;

/** The help text of a command. */
async function printedHelp(...command: string[]): Promise<string> {
  const { code, stdout, stderr } = await runInProcess(...command, '--help');
  expect({ code, stderr }, `${command.join(' ')} --help`).toEqual({ code: 0, stderr: '' });
  return stdout;
}

const helpOfAll = await printedHelp();
const helps = new Map<string, string>();
for (const command of commandsIn(helpOfAll)) helps.set(command, await printedHelp(command));

function helpOf(command?: string): string {
  return command === undefined ? helpOfAll : (helps.get(command) ?? '');
}

function commandsIn(help: string): string[] {
  const [, list = ''] = help.split('\nCommands:\n');
  return [...list.matchAll(/^ {2}(\S+)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help');
}

function flagsIn(text: string): string[] {
  return [...new Set([...text.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([flag]) => flag))].sort();
}

/** The section of the page below a heading such as "## `build`", up to the next heading. */
function sectionOf(command: string): string {
  const [, rest = ''] = page.split(`\n## \`${command}\`\n`);
  return rest.split(/\n##/)[0] ?? '';
}

/** The flags that have a row in the table of a section. */
function rowsOf(section: string): string[] {
  return [...section.matchAll(/^\| `(--[a-z-]+)/gm)].map(([, flag = '']) => flag).sort();
}

/** The flags that a help text lists at the beginnings of its lines. */
function optionsIn(help: string): string[] {
  return [...help.matchAll(/^ {2}(?:-h, )?(--[a-z-]+)/gm)].map(([, flag = '']) => flag).sort();
}

const ofEveryCommand = ['--help', '--quiet', '--verbose'];

/** The beginning of the page, with the options that several commands have. */
const [top = ''] = page.split('\n## ');
const shared = rowsOf(top);

describe('docs/cli.md', () => {
  const commands = commandsIn(helpOf());

  test('has every command, and no other', () => {
    const headings = [...page.matchAll(/^## `([^`]+)`$/gm)].map(([, name]) => name);
    expect(headings.sort()).toEqual(commands.toSorted());
  });

  test('lists every command at its top', () => {
    const links = [...top.matchAll(/\[`([^`]+)`\]\(#/g)].map(([, name]) => name);
    expect(links.sort()).toEqual(commands.toSorted());
  });

  test('is of the command that `npm link` installs', () => {
    const { bin } = JSON.parse(readText('package.json'));
    const { stdout, status } = spawnSync(process.execPath, [bin.shelfpress, '--help'], { ...wide, cwd: root });
    expect([stdout, status]).toEqual([helpOf(), 0]);
  });

  test.each(commands)('has a row for every flag of %s, and for no other', (command) => {
    const options = optionsIn(helpOf(command));
    expect(options).toEqual(expect.arrayContaining(ofEveryCommand));
    const rows = new Set([...rowsOf(sectionOf(command)), ...shared.filter((flag) => options.includes(flag))]);
    expect([...rows].sort()).toEqual(options);
  });

  test('has a row at its top only for flags that several commands have', () => {
    const having = (flag: string) => commands.filter((command) => optionsIn(helpOf(command)).includes(flag));
    expect(shared.filter((flag) => having(flag).length < 2)).toEqual([]);
  });

  test('speaks of flags that exist', () => {
    const known = flagsIn(commands.map((command) => helpOf(command)).join('\n'));
    expect(flagsIn(page).filter((flag) => !known.includes(flag))).toEqual([]);
  });

  test.each(commands)('has an example of %s', (command) => {
    expect(sectionOf(command)).toMatch(new RegExp(`^\\$? ?shelfpress ${command} `, 'm'));
  });

  test('has every variable and default of serve', () => {
    const help = helpOf('serve').replaceAll(/\s+/g, ' ');
    const variables = [...help.matchAll(/\benv: ([A-Z_]+)\)/g)].map(([, name = '']) => name);
    expect(variables).toHaveLength(9);
    for (const name of [...variables, 'CURSOR_SECRET', 'CURSOR_SECRET_PREVIOUS']) {
      expect(sectionOf('serve')).toContain(`\`${name}\``);
    }
    for (const [, value = ''] of help.matchAll(/\(default: "?([\w.]+)"?, env/g)) {
      expect(sectionOf('serve')).toContain(`\`${value}\``);
    }
  });
});
