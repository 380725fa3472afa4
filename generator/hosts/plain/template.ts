import { readFileSync } from 'node:fs';

/** A file of `templates/`, by its path below it. */
export function readTemplate(name: string): string {
  return readFileSync(new URL(`../../../templates/${name}`, import.meta.url), 'utf8');
}

/** Puts values in the place of `{{name}}`. Throws an error when a template names something that is not given. */
export function fillTemplate(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{\{([a-z_]+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`a template names ${name}, which is not given`);
    return String(value);
  });
}
