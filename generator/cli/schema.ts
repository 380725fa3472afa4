import { join } from 'node:path';
import { Argument, type Command } from 'commander';
import * as z from 'zod';
import { usualProfile } from '../../contract/profile.ts';
import { makeFolder, replaceFile } from '../files/durable-files.ts';
import { recipe } from '../import/recipe/recipe.ts';
import { partSchemas, snapshotHeader } from '../snapshot/format.ts';
import { type Output, withExample } from '../terminal/output.ts';
import { settings } from './settings-file.ts';

export function defineSchema(command: Command, output: Output): void {
  command
    .addArgument(new Argument('[name]', 'what to describe; without it, lists the names').choices(schemaNames))
    .option('--all <dir>', 'write every schema into this folder, as NAME.schema.json')
    .action((name: string | undefined, { all }: { all?: string }) => {
      if (all !== undefined) for (const file of writeSchemas(all)) output.line(file);
      else if (name === undefined) for (const one of schemaNames) output.line(one);
      else output.write(schemaText(name));
    });
  withExample(command, 'shelfpress schema recipe');
}

const { curation, inventoryLine, inventoryScope, productLine, storeLine } = partSchemas(usualProfile);

type Described = { readonly schema: z.ZodType; readonly title: string };

const described: Readonly<Record<string, Described>> = {
  snapshot: { schema: snapshotHeader, title: 'snapshot.json of a snapshot folder' },
  product: { schema: productLine, title: 'A line of products.ndjson of a snapshot folder' },
  store: { schema: storeLine, title: 'A line of stores.ndjson of a snapshot folder' },
  inventory: { schema: inventoryLine, title: 'A line of inventory.ndjson of a snapshot folder' },
  'inventory-scope': { schema: inventoryScope, title: 'inventory_scope.json of a snapshot folder' },
  curation: { schema: curation, title: 'curation.json of a snapshot folder' },
  recipe: { schema: recipe, title: 'A recipe of the import command' },
  settings: { schema: settings, title: 'shelfpress.json, the settings of the commands' },
};

export const schemaNames: readonly string[] = Object.keys(described);

/**
 * JSON Schema (draft 2020-12), made from the schema that the commands check with. Null for an unknown name. It checks
 * less than they do, because it cannot compare fields or lines with each other.
 */
export function jsonSchema(name: string): object | null {
  const found = Object.hasOwn(described, name) ? described[name] : undefined;
  if (found === undefined) return null;
  const { $schema, ...rest } = printed(found.schema);
  return { $schema, title: found.title, ...rest };
}

export function schemaText(name: string): string {
  return `${JSON.stringify(jsonSchema(name), null, 2)}\n`;
}

/** Writes each schema as `NAME.schema.json`. Returns the files. */
export function writeSchemas(folder: string): string[] {
  makeFolder(folder);
  return schemaNames.map((name) => {
    const file = join(folder, `${name}.schema.json`);
    replaceFile(file, (append) => append(schemaText(name)));
    return file;
  });
}

function printed(schema: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-2020-12',
    override: ({ zodSchema, jsonSchema: json }) => {
      // A limited list starts as an array of anything. Its items are checked only if it is within the limit.
      if (!(zodSchema instanceof z.ZodPipe) || !(zodSchema.out instanceof z.ZodArray)) return;
      const { $schema: _, items } = printed(zodSchema.out);
      Object.assign(json, { items });
    },
  }) as Record<string, unknown>;
}
