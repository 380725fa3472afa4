import { getCompletionScript, getShellFromEnv, log, logFiles, parseEnv } from '@pnpm/tabtab';
import { Argument, Command } from 'commander';
import { failureCodes } from '../files/failure.ts';
import { type Output, withExample } from '../terminal/output.ts';
import type { OtherCommands } from './commands.ts';
import { topicNames } from './help.ts';

/** The script asks `completion-server` when a person presses Tab. */
export function defineCompletion(command: Command, output: Output): void {
  command
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      output.write(await getCompletionScript({ name: 'shelfpress', completer: 'shelfpress', shell }));
    });
  withExample(
    command,
    'shelfpress completion bash >> ~/.bashrc',
    'shelfpress completion zsh >> ~/.zshrc',
    'shelfpress completion fish > ~/.config/fish/completions/shelfpress.fish',
  );
}

type Candidate = { readonly name: string; readonly description?: string };

/** Prints each possible completion on a line. The command line and the cursor are in the environment. */
export function defineCompletionServer(command: Command, output: Output, others: OtherCommands): void {
  command.argument('[words...]').action(async () => {
    const [, ...words] = parseEnv(process.env).partial.trimStart().split(/\s+/);
    const found = await candidatesFor(words.slice(0, -1), words.at(-1) ?? '', output, others);
    if (found === null) logFiles();
    else log([...found], getShellFromEnv(process.env));
  });
}

/** Candidates for `current`, the word after `before`. Null stands for any file. */
async function candidatesFor(
  before: readonly string[],
  current: string,
  output: Output,
  others: OtherCommands,
): Promise<readonly Candidate[] | null> {
  const name = before.find((word) => Object.hasOwn(others.summaries, word));
  if (name === undefined) {
    return Object.entries(others.summaries).map(([one, description]) => ({ name: one, description }));
  }
  if (name === 'help')
    return [...Object.keys(others.summaries), ...topicNames, ...failureCodes].map((one) => ({ name: one }));
  const command = new Command(name);
  await others.define(name, command, output);
  const option = command.options.find(({ long, short }) => [long, short].includes(before.at(-1)));
  if (option && !option.isBoolean()) return choicesFor(option);
  if (current.startsWith('-')) {
    return command.options.flatMap(({ long, description }) => (long ? [{ name: long, description }] : []));
  }
  return choicesFor(command.registeredArguments[0]);
}

function choicesFor(given: { readonly argChoices?: readonly string[] | undefined } | undefined): Candidate[] | null {
  return given?.argChoices?.map((name) => ({ name })) ?? null;
}
