import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { failureCodes } from '../files/failure.ts';
import { packageFolder } from '../files/package-files.ts';
import { type Output, withExample } from '../terminal/output.ts';
import { tableLines } from '../terminal/texts.ts';
import type { OtherCommands } from './commands.ts';
import { table, usualFile } from './settings.ts';

const topics: Readonly<Record<string, () => readonly string[] | null | Promise<readonly string[]>>> = {
  settings: () => [
    `Commands read their settings from ${usualFile} in the working folder, or from the file named by --settings.`,
    'shelfpress init writes it; shelfpress schema settings prints its JSON Schema. Command-line options override it.',
    '',
    ...tableLines(table, [
      ['member', ({ member }) => member],
      ['meaning', ({ meaning }) => meaning.replaceAll('`', '')],
    ]),
  ],
  recipes: () => readSection('importing', 'Write a recipe'),
  guards: async () => {
    // Loading the guards also loads the database, which other topics need not wait for.
    const { guards } = await import('../publish/guards/guards.ts');
    return [
      'publish stops a valid snapshot that looks like a mistake. --accept NAME publishes it anyway.',
      'A guard stops a snapshot that …',
      '',
      ...tableLines(guards, [
        ['name', ({ name }) => name],
        ['limit', ({ limit, example }) => `${limit} (such as ${example})`.replaceAll('`', '')],
      ]),
    ];
  },
  terms: () => readPage('terms'),
};

export const topicNames: readonly string[] = Object.keys(topics);

/** A topic is a command, a subject of the docs, or an error code. */
export function defineHelp(command: Command, output: Output, others: OtherCommands): void {
  command
    .argument('[topic]', `a command, ${topicNames.join(', ')}, or the code at the end of an error message`)
    .action(async (topic: string | undefined) => {
      if (topic === undefined) return void (await others.run(['--help'], output));
      if (Object.hasOwn(others.summaries, topic)) return void (await others.run([topic, '--help'], output));
      const lines = (await topics[topic]?.()) ?? readSection('troubleshooting', `\`${topic}\``);
      if (lines === null) {
        command.error(
          `error: there is no topic '${topic}': expected a command, ${topicNames.join(', ')}, or a code such as ${failureCodes[0]}`,
        );
      }
      for (const line of lines) output.line(line);
    });
  withExample(command, 'shelfpress help build', 'shelfpress help settings', 'shelfpress help database_missing');
}

function readPage(page: string): string[] {
  return readFileSync(new URL(`docs/${page}.md`, packageFolder), 'utf8')
    .trimEnd()
    .split('\n');
}

/** The lines up to the next heading. Null if there is no such heading. */
function readSection(page: string, heading: string): string[] | null {
  const lines = readPage(page);
  const start = lines.indexOf(`## ${heading}`);
  if (start < 0) return null;
  const end = lines.findIndex((line, at) => at > start && line.startsWith('## '));
  const section = lines.slice(start + 1, end < 0 ? undefined : end);
  return section.join('\n').trim().split('\n');
}
