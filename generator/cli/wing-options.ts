import { type Command, Option } from 'commander';
import { wings } from '../assembly/wings.ts';
import type { Choices } from '../units/document-writer.ts';
import { parsedArgument } from './options.ts';

export function addWingOptions(command: Command, name: 'build' | 'mirror'): void {
  for (const { options } of wings) {
    for (const { flags, description, parse, conflicts } of options?.[name] ?? []) {
      const option = new Option(flags, description);
      if (parse) option.argParser((text: string) => parsedArgument(() => parse(text)));
      if (conflicts !== undefined) option.conflicts(conflicts);
      command.addOption(option);
    }
  }
}

export function choicesIn(options: Readonly<Record<string, unknown>>): Choices {
  const choices: Record<string, string> = {};
  for (const { flags, isChoice } of wings.flatMap(({ options }) => options?.build ?? [])) {
    const name = new Option(flags).attributeName();
    const value = options[name];
    if (isChoice && typeof value === 'string') choices[name] = value;
  }
  return choices;
}
