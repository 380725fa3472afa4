import { type Command, CommanderError } from 'commander';
import { Failure, failureOf, systemReason } from '../failure.ts';
import { NegativeAnswer, type Output } from './command-line.ts';

const exitCode = { success: 0, failure: 1, usage: 2 };

/**
 * Runs a command line. Resolves to the exit code: 0 success, 1 an explained failure or a negative answer, 2 wrong usage. `program` makes the
 * program that reads the arguments, which throws instead of exiting (`exitOverride`).
 */
export async function runProgram(
  args: readonly string[],
  output: Output,
  program: (output: Output) => Promise<Command>,
): Promise<number> {
  output.speakAs(voiceOf(args));
  try {
    await (await program(output)).parseAsync(args, { from: 'user' });
    return exitCode.success;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.success : exitCode.usage;
    if (error instanceof NegativeAnswer) return exitCode.failure;
    output.failure(failureOf(error) ?? unexpected(error), error);
    return exitCode.failure;
  } finally {
    output.clearProgress();
  }
}

/** Gives a command the options that every command has, and the rule that none of its values is empty. */
export function addCommonRules(command: Command): void {
  command
    .option('--quiet', 'print results and errors only')
    .option('--verbose', 'print stack traces with errors')
    .hook('preAction', refuseEmpty);
}

/** An empty value comes from a variable that is not set. As a path it would mean the working folder. */
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

/** The options that every command has, read before the command line is parsed, because that can fail too. */
function voiceOf(args: readonly string[]) {
  const has = (flag: string) => args.includes(flag);
  return { isQuiet: has('--quiet'), isVerbose: has('--verbose'), isJson: has('--json') };
}

/** An error of the program itself, which nobody foresaw. */
function unexpected(error: unknown): Failure {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new Failure(`this is a fault of shelfpress; please report it with the output of --verbose: ${message}`);
}

/**
 * Handles standard output that cannot be written. A reader such as `| head` may close it early: nobody reads the rest, so the
 * process ends. On a full disk, the work goes on to its end, and then the command has failed.
 */
export function handleLostOutput(): void {
  let isLost = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCode.failure);
    if (isLost) return;
    isLost = true;
    const reason = systemReason(error.code ?? error.message);
    process.stderr.write(
      `shelfpress: standard output could not be written: ${reason}; what the command does is done all the same\n`,
    );
    process.once('exit', () => {
      process.exitCode = exitCode.failure;
    });
  });
}
