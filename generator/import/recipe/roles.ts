import { Failure, printable } from '../../failure.ts';
import type { RoleFiles } from '../parts/context.ts';
import { type InputFile, inputFile } from '../tables/input.ts';
import type { Recipe } from './recipe.ts';

/**
 * Which file is which, by the recipe's patterns. `role=FILE` names the role of a file that no pattern fits. A file can have
 * several roles, such as a workbook with several sheets. Roles without a file that the recipe calls optional are left out.
 */
export function assignFiles({ files: rules }: Recipe, paths: readonly string[]): ReadonlyMap<string, RoleFiles> {
  const roles = new Map<string, { readonly rule: RoleFiles['rule']; readonly files: InputFile[] }>(
    Object.entries(rules).map(([role, rule]) => [role, { rule, files: [] }]),
  );
  const seen = new Map<string, string>();
  for (const argument of paths) {
    const [named, rest] = splitRole(argument, roles);
    const file = inputFile(rest);
    const before = seen.get(file.identity);
    if (before !== undefined) throw new Failure(printable(`${rest}: expected each file once, got it as ${before} too`));
    seen.set(file.identity, rest);
    const fitting =
      named === null
        ? [...roles].filter(([, { rule }]) => fits(rule.match, file.name))
        : [...roles].filter(([role]) => role === named);
    if (fitting.length === 0) {
      const expected = [...roles].map(([role, { rule }]) => `${role} (${rule.match})`).join(', ');
      throw new Failure(
        printable(`${rest}: expected a file of the recipe: ${expected}, got another name; ROLE=FILE says which it is`),
      );
    }
    for (const [, { files }] of fitting) files.push(file);
  }
  const missing = [...roles].filter(([, { rule, files }]) => files.length === 0 && rule.optional !== true);
  if (missing.length > 0) {
    const names = missing.map(([role, { rule }]) => `${role} (${rule.match})`).join(', ');
    throw new Failure(printable(`expected a file for ${names}, got none; "optional" in the recipe allows that`));
  }
  for (const [role, { rule, files }] of roles) {
    const [first, second] = files;
    if (first === undefined || second === undefined || rule.several === true) continue;
    throw new Failure(
      printable(
        `expected one file for ${role}, got ${first.path} and ${second.path}; "several" in the recipe allows that`,
      ),
    );
  }
  return roles;
}

function splitRole(argument: string, roles: ReadonlyMap<string, unknown>): [role: string | null, path: string] {
  const at = argument.indexOf('=');
  const role = argument.slice(0, at);
  return at > 0 && roles.has(role) ? [role, argument.slice(at + 1)] : [null, argument];
}

/** Whether a name fits a pattern in which `*` is any text and `?` one character. Capitals do not matter. */
function fits(pattern: string, name: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 'iu').test(name);
}
