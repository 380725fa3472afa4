import { Command } from 'commander';
import { NegativeAnswer, Output } from '../../generator/commands/command-line.ts';
import { Failure } from '../../generator/failure.ts';

/** What a command printed on standard output, and how it ended. `isNo`: with exit code 1 and nothing to explain. */
export type Ended = { readonly text: string; readonly failure: string | null; readonly isNo: boolean };

/** Runs a command in this process, as the command line does. */
export async function runInProcess(
  define: (command: Command, output: Output) => void,
  ...args: readonly string[]
): Promise<Ended> {
  let text = '';
  const stream = (write: (part: string) => void) =>
    ({ write, isTTY: false }) as unknown as NodeJS.WriteStream & { fd: 1 };
  const output = new Output(
    stream((part) => {
      text += part;
    }),
    stream(() => undefined) as unknown as typeof process.stderr,
  );
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  define(program.command('run'), output);
  try {
    await program.parseAsync(['run', ...args], { from: 'user' });
    return { text, failure: null, isNo: false };
  } catch (error) {
    if (error instanceof NegativeAnswer) return { text, failure: null, isNo: true };
    if (error instanceof Failure) return { text, failure: error.message, isNo: false };
    throw error;
  }
}
