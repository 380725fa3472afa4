import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Argument, type Command } from 'commander';
import { explainFile } from '../failure.ts';
import { jsonSchema, schemaNames } from '../import/json-schemas.ts';
import { replaceFile } from '../replace-file.ts';
import type { Output } from './command-line.ts';
import { withExample } from './command-line.ts';

/** `schema [NAME]`: the JSON Schemas of what people and collectors write. */
export function defineSchema(command: Command, output: Output): void {
  command
    .addArgument(new Argument('[name]', 'what to describe; without it, the names are listed').choices(schemaNames))
    .option('--all <dir>', 'write every schema into this folder, as NAME.schema.json')
    .action((name: string | undefined, { all }: { all?: string }) => {
      if (all !== undefined) writeAll(all, output);
      else if (name === undefined) for (const known of schemaNames) output.line(known);
      else output.line(schemaText(name));
    });
  withExample(command, 'shelfpress schema recipe');
}

function writeAll(folder: string, output: Output): void {
  explainFile(folder, 'a folder that can be written', () => mkdirSync(folder, { recursive: true }));
  for (const name of schemaNames) {
    const file = join(folder, `${name}.schema.json`);
    replaceFile(file, (append) => append(`${schemaText(name)}\n`));
    output.line(file);
  }
}

function schemaText(name: string): string {
  return JSON.stringify(jsonSchema(name), null, 2);
}
