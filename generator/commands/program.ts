import { type Command, CommanderError } from 'commander';
import { Failure, failureOf } from '../failure.ts';
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

/** Gives a command the options that every command has. */
export function addCommonOptions(command: Command): void {
  command.option('--quiet', 'print results and errors only').option('--verbose', 'print stack traces with errors');
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

/** A reader such as `| head` may close the output early. Nobody reads the rest, so the process ends. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(exitCode.failure);
  });
}
