import type { Command } from 'commander';

/** Every command's help ends with an example that works as it stands. */
export function withExample(command: Command, example: string): void {
  command.addHelpText('after', `\nExample:\n  ${example}`);
}
