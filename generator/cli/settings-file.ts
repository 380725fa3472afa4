import * as z from 'zod';
import { explainIssues } from '../../contract/schemas/checked-value.ts';
import { wings } from '../assembly/wings.ts';
import type { HostKind } from '../copies/hosts/host-files.ts';
import { Failure } from '../files/failure.ts';
import { formatFault } from '../files/faults.ts';
import { readJson } from '../import/recipe/recipe-file.ts';

const text = z.string().min(1, 'text that is not empty');
const kinds = ['nginx', 'caddy', 'static'] as const satisfies readonly HostKind[];

const ofWings = Object.fromEntries(
  wings
    .flatMap(({ settings = [] }) => settings)
    .map(({ member, type }) => [member, type === 'boolean' ? z.boolean().optional() : text.optional()]),
);

/** Unknown keys are refused. */
export const settings = z.strictObject({
  $schema: text.optional(),
  database: text.default('publication.sqlite'),
  site: text.default('dist'),
  base_url: text.optional(),
  license: text.optional(),
  ...ofWings,
  exports: z.enum(['retained', 'current']).optional(),
  signing_key: text.optional(),
  signature_valid_hours: z.int().min(1).max(999_999).optional(),
  recipe: text.optional(),
  delivery_times: z.enum(['names', 'files']).optional(),
  verify: z.strictObject({ full_every: text.optional() }).optional(),
  hosts: z
    .strictObject({
      kind: z.enum(kinds).optional(),
      folder: text.optional(),
      root: text.optional(),
      listen: text.optional(),
      server_name: text.optional(),
      shim: text.optional(),
    })
    .optional(),
  deploy: z.strictObject({ bucket: text, endpoint: text.optional(), only: z.literal('objects').optional() }).optional(),
});
export type Settings = z.output<typeof settings>;

export type SettingsFile = { readonly file: string; readonly settings: Settings };

export function readSettings(file: string): SettingsFile {
  return { file, settings: checkedSettings(file, readJson(file)) };
}

/** The settings in a file. Throws a Failure that names the file and each fault in it. */
export function checkedSettings(file: string, value: unknown): Settings {
  const checked = settings.safeParse(value);
  if (checked.success) return checked.data;
  const found = explainIssues(checked.error.issues, value, 'a known setting');
  const faults = found.map((fault) => formatFault({ file, line: null, ...fault }));
  throw new Failure('settings_faults', faults.join('; '));
}
