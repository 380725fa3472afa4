import { programFor, runProgram } from '../../generator/cli/program.ts';
import { Output } from '../../generator/terminal/output.ts';
import type { Finished } from './command-line.ts';

/** Leaves out the progress that a command reports after a while, so that a slow machine prints what a fast one does. */
class TimelessOutput extends Output {
  override progress(): void {
    // Nothing depends on it.
  }
}

/** Runs a command line in this process, which is faster than in its own process, and ends the same. */
export async function runInProcess(...args: readonly string[]): Promise<Finished> {
  const written = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof written) => ({
    isTTY: false,
    write: (text: string) => {
      written[name] += text;
    },
  });
  const output = new TimelessOutput(stream('stdout') as never, stream('stderr') as never);
  const code = await runProgram(args, output, () => programFor(args, output));
  return { code, ...written };
}

/**
 * What a command printed on standard output, and how it ended. `isNo` means with exit code 1 and nothing to explain.
 */
export type Ended = { readonly text: string; readonly failure: string | null; readonly isNo: boolean };

/** The same with the explanation of a failure or of wrong usage alone, without what else standard error has. */
export async function outcomeInProcess(...args: readonly string[]): Promise<Ended> {
  const { code, stdout, stderr } = await runInProcess(...args);
  const [failure = null] = /(?<=^(?:shelfpress|error): ).+?(?=(?: \[[a-z_]+\])?$)/m.exec(stderr) ?? [];
  return { text: stdout, failure, isNo: code === 1 && failure === null };
}
