import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { table } from '../../generator/cli/settings.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { readText, root } from './repository.ts';

const page = readText('docs/cli.md');

/** The help text of a command. */
async function printedHelp(...command: string[]): Promise<string> {
  const { code, stdout, stderr } = await runInProcess(...command, '--help');
  expect({ code, stderr }, `${command.join(' ')} --help`).toEqual({ code: 0, stderr: '' });
  return stdout;
}

const helpOfAll = await printedHelp();
const commands = commandsIn(helpOfAll);
const helps = new Map<string, string>();
for (const command of commands) helps.set(command, await printedHelp(command));
const helpOf = (command: string) => helps.get(command) ?? '';

function commandsIn(help: string): string[] {
  const [, list = ''] = help.split('\nMake a site:\n');
  return [...list.matchAll(/^ {2}(\S+)/gm)].map(([, name = '']) => name);
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

/** The flags at the beginnings of a help text's lines. */
function optionsIn(help: string): string[] {
  return [...help.matchAll(/^ {2}(?:-h, )?(--[a-z-]+)/gm)].map(([, flag = '']) => flag).sort();
}

const ofEveryCommand = ['--help', '--quiet', '--verbose'];

/** The beginning of the page, with the options that several commands have. */
const [top = ''] = page.split('\n## ');
const shared = rowsOf(top);

describe('docs/cli.md', () => {
  test('has every command, and no other, and lists them at its top', () => {
    for (const named of [page.match(/(?<=^## `)[^`]+(?=`$)/gm), top.match(/(?<=\[`)[^`]+(?=`\]\(#)/g)]) {
      expect(named?.sort()).toEqual(commands.toSorted());
    }
  });

  test('describes the command that `npm link` installs', () => {
    const { bin } = JSON.parse(readText('package.json'));
    // A terminal of fixed width.
    const environment = { ...process.env, COLUMNS: '80' };
    const options = { encoding: 'utf8', env: environment, cwd: root } as const;
    const { stdout, status } = spawnSync(process.execPath, [bin.shelfpress, '--help'], options);
    expect([stdout, status]).toEqual([helpOfAll, 0]);
  });

  test.each(commands)('has a row for every flag of %s, and for no other, and an example', (command) => {
    const options = optionsIn(helpOf(command));
    expect(options).toEqual(expect.arrayContaining(ofEveryCommand));
    const rows = new Set([...rowsOf(sectionOf(command)), ...shared.filter((flag) => options.includes(flag))]);
    expect([...rows].sort()).toEqual(options);
    expect(sectionOf(command)).toMatch(new RegExp(`^\\$? ?shelfpress ${command} `, 'm'));
  });

  test('has a row at its top only for flags that several commands have', () => {
    const having = (flag: string) => commands.filter((command) => optionsIn(helpOf(command)).includes(flag));
    expect(shared.filter((flag) => having(flag).length < 2)).toEqual([]);
  });

  test('names only flags that exist', () => {
    const known = flagsIn(commands.map((command) => helpOf(command)).join('\n'));
    expect(flagsIn(page).filter((flag) => !known.includes(flag))).toEqual([]);
  });

  test('has every setting as in the table in the code, each for options and arguments that exist', () => {
    const rows = table.map(({ member, meaning, gives }) => {
      const places = [...new Set(Object.values(gives))].map((place) => {
        const having = Object.entries(gives).filter(([, one]) => one === place);
        return ` \`${place}\` of ${having.map(([command]) => `\`${command}\``).join(', ')}`;
      });
      return `| \`${member}\` | ${meaning} |${places.join(';')} |`;
    });
    const [, section = ''] = page.split('\n## Settings\n');
    expect((section.split('\n##')[0] ?? '').match(/^\| `.*$/gm)).toEqual(rows);
    for (const [command, place] of table.flatMap(({ gives }) => Object.entries(gives))) {
      const [usage = '', said = ''] = helpOf(command).split('\nshelfpress.json');
      expect(/^[<[]/.test(place) ? usage.split('\n')[0] : optionsIn(usage), `${command} ${place}`).toContain(place);
      expect(said, `${command} ${place}`).toContain(place);
    }
  });

  test('has every variable and default of serve', () => {
    const help = helpOf('serve').replaceAll(/\s+/g, ' ');
    const variables = [...help.matchAll(/\benv: ([A-Z_]+)\)/g)].map(([, name = '']) => name);
    expect(variables).toHaveLength(11);
    for (const name of [...variables, 'CURSOR_SECRET', 'CURSOR_SECRET_PREVIOUS']) {
      expect(sectionOf('serve')).toContain(`\`${name}\``);
    }
    for (const [, value = ''] of help.matchAll(/\(default: "?([\w.]+)"?; env/g)) {
      expect(sectionOf('serve')).toContain(`\`${value}\``);
    }
  });
});
