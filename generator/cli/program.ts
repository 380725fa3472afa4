import { readFileSync } from 'node:fs';
import { Command, CommanderError, type Option, type OutputConfiguration } from 'commander';
import { printable } from '../../contract/text.ts';
import { systemReason } from '../files/failure.ts';
import { packageFolder } from '../files/package-files.ts';
import { failureFrom, NegativeAnswer, type Output } from '../terminal/output.ts';
import { commandGroups, commands, type OtherCommands } from './commands.ts';
import { addSettingsHelp, applySettings, findSettings, takesSettings, usualFile } from './settings.ts';

const exitCode = { success: 0, failure: 1, usage: 2 };

/**
 * Resolves to the exit code: 0 success, 1 an explained failure or a negative answer, 2 wrong usage. `program` makes the
 * parser of arguments. It throws instead of exiting (`exitOverride`).
 */
export async function runProgram(
  args: readonly string[],
  output: Output,
  program: (output: Output) => Promise<Command>,
): Promise<number> {
  output.setVerbosity(readVerbosity(args));
  try {
    await (await program(output)).parseAsync(args, { from: 'user' });
    return exitCode.success;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return exitCode.success;
      output.wrongUsage(error.message.replace(/^error: /, '').replaceAll('\n', ' '));
      return exitCode.usage;
    }
    if (error instanceof NegativeAnswer) return exitCode.failure;
    const failure = failureFrom(error);
    output.failure(failure, error);
    return failure.code === 'wrong_usage' ? exitCode.usage : exitCode.failure;
  } finally {
    output.clearProgress();
  }
}

/** Adds the options that every command has, and the rule that no value is empty. */
export function addCommonRules(command: Command): void {
  command
    .option('--quiet', 'print results and errors only')
    .option('--verbose', 'print stack traces with errors')
    .hook('preAction', refuseEmpty);
}

/** Empty values come from unset variables. As a path, they would mean the working folder. */
function refuseEmpty(command: Command): void {
  const values: (readonly [what: string, value: unknown])[] = [
    ...command.registeredArguments.map(
      (one, index) => [`argument '${one.name()}'`, command.processedArgs[index]] as const,
    ),
    ...command.options.map((one) => [`option '${one.flags}'`, command.getOptionValue(one.attributeName())] as const),
  ];
  const empty = values.find(([, value]) => [value].flat().includes(''));
  if (empty) command.error(`error: ${empty[0]}: expected a value, got an empty one`);
}

/** Reads how much to print. This runs before the command line is parsed, because parsing can fail too. */
function readVerbosity(args: readonly string[]) {
  const has = (flag: string) => args.includes(flag);
  return { isQuiet: has('--quiet'), isVerbose: has('--verbose'), isJson: has('--json') };
}

/**
 * Handles standard output that cannot be written. If a reader such as `| head` closes it early, a command that only
 * prints ends at once. Any other command, and any command on a full disk, finishes its work and then fails.
 */
export function handleLostOutput(args: readonly string[]): void {
  let isLost = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    const isClosed = error.code === 'EPIPE';
    if (isClosed && commands[commandIn(args) ?? 'help']?.prints) process.exit(exitCode.failure);
    if (isLost) return;
    isLost = true;
    const reason = systemReason(error.code ?? error.message);
    if (!isClosed) {
      process.stderr.write(
        `shelfpress: standard output could not be written: ${reason}; the command finishes its work anyway\n`,
      );
    }
    process.once('exit', () => {
      process.exitCode = exitCode.failure;
    });
  });
}

/** The first argument that is neither an option nor the value of --settings. */
function commandIn(args: readonly string[]): string | undefined {
  return args.find((argument, at) => !argument.startsWith('-') && args[at - 1] !== '--settings');
}

const others: OtherCommands = {
  run: (args, output) => runProgram(args, output, (own) => programFor(args, own)),
  summaries: Object.fromEntries(Object.entries(commands).map(([name, { summary }]) => [name, summary])),
  define: async (name, command, output) => (await commands[name]?.load())?.(command, output, others),
  configured: async (name, from, output) => {
    const command = new Command(name);
    await others.define(name, command, output);
    applySettings(command, from);
    // Options such as --no-explorer get their defaults only when a command line is parsed.
    for (const option of command.options) {
      const name = option.attributeName();
      if (option.negate && command.getOptionValue(name) === undefined)
        command.setOptionValueWithSource(name, true, 'default');
    }
    return command;
  },
};

const examples = `
Examples:
  shelfpress demo                        look at an example
  shelfpress init --recipe recipe.json   start your own site
  shelfpress update                      bring it up to date, every day
  shelfpress serve                       look at it
  shelfpress help update                 learn more`;

/** A program that has every command, but loads only the one that `args` name. */
export async function programFor(args: readonly string[], output: Output): Promise<Command> {
  const program = new Command('shelfpress')
    .description(`turn snapshots of reported inventory into a static JSON service that anyone can verify\n${examples}`)
    .usage('[options] <command>')
    .version(version(), '--version', 'print the version')
    .option('--settings <file>', `settings file (default: ${usualFile}, if it exists)`)
    .hook('preSubcommand', async (all, command) => {
      // Help does not depend on the settings, so it must not fail because of them.
      if (!takesSettings(command) || args.includes('--help') || args.includes('-h')) return;
      const file = findSettings(all.opts().settings);
      if (file === null) return;
      // A command without settings does not wait for the code that reads them.
      const { readSettings } = await import('./settings-file.ts');
      applySettings(command, readSettings(file));
    })
    .exitOverride()
    .helpCommand(false)
    .configureHelp(helpStyle)
    .configureOutput(outputFor(output));
  const wanted = commandIn(args);
  if (wanted === undefined) program.action(() => program.outputHelp());
  for (const [heading, group] of Object.entries(commandGroups)) {
    for (const [name, { summary, load }] of Object.entries(group)) {
      const command = program.command(name).helpGroup(`${heading}:`).summary(summary).description(summary);
      if (name !== wanted) continue;
      command.showHelpAfterError(`Run 'shelfpress ${name} --help' for usage.`);
      (await load())(command, output, others);
      addCommonRules(command);
      addSettingsHelp(command);
    }
  }
  if (wanted === 'completion-server') {
    const { defineCompletionServer } = await import('./completion.ts');
    defineCompletionServer(program.command(wanted, { hidden: true }), output, others);
  }
  return program;
}

/** Escapes what commander repeats from the command line, but not its guesses and its help. */
export function outputFor(output: Output): OutputConfiguration {
  return {
    writeOut: (text) => output.write(text),
    writeErr: (text) => output.writeError(text),
    outputError: (text, write) => {
      const [, error = '', guess = ''] = /^(.*?)(\n\(Did you mean [^\n]*\?\))?\n?$/s.exec(text) ?? [];
      write(`${printable(error)}${guess}\n`);
    },
  };
}

/** The help is as commander prints it, but without a needless `(default: false)` for flags. */
export const helpStyle = { optionDescription };

function optionDescription({ description, argChoices, defaultValue, defaultValueDescription, envVar }: Option): string {
  const shown = defaultValueDescription ?? JSON.stringify(defaultValue);
  const facts = [
    ...(argChoices ? [`choices: ${argChoices.join(', ')}`] : []),
    ...(defaultValue === undefined || typeof defaultValue === 'boolean' ? [] : [`default: ${shown}`]),
    ...(envVar === undefined ? [] : [`env: ${envVar}`]),
  ];
  return facts.length === 0 ? description : `${description} (${facts.join('; ')})`;
}

function version(): string {
  return JSON.parse(readFileSync(new URL('package.json', packageFolder), 'utf8')).version;
}
