import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { programFile } from './programs.ts';

export type Finished = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** What a command printed, without the lines that say on a busy machine how far it is. */
export function withoutProgress(text: string): string {
  return text.replace(/^[a-z][a-z ]+(?:: \d+ % \(.*)?\n/gm, '');
}

const projectFolder = fileURLToPath(new URL('../../', import.meta.url));

/** Runs the command line as its user does, in its own process, and waits for it to end. */
export async function runCommand(...args: readonly string[]): Promise<Finished> {
  const child = spawn(process.execPath, [programFile('generator/cli/cli.ts'), ...args], { cwd: projectFolder });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return { code, stdout, stderr };
}
