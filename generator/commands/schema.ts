import { Argument, type Command } from 'commander';
import type { Output } from './command-line.ts';
import { withExample } from './command-line.ts';
import { schemaNames, schemaText, writeSchemas } from './json-schemas.ts';

/** `schema [NAME]`: the JSON Schemas of what people and collectors write. */
export function defineSchema(command: Command, output: Output): void {
  command
    .addArgument(new Argument('[name]', 'what to describe; without it, the names are listed').choices(schemaNames))
    .option('--all <dir>', 'write every schema into this folder, as NAME.schema.json')
    .action((name: string | undefined, { all }: { all?: string }) => {
      if (all !== undefined) for (const file of writeSchemas(all)) output.line(file);
      else if (name === undefined) for (const one of schemaNames) output.line(one);
      else output.write(schemaText(name));
    });
  withExample(command, 'shelfpress schema recipe');
}
