import { join } from 'node:path';
import { hostsFile, hostsRecord } from '../../contract/hosts-record.ts';
import { parseJson } from '../../contract/parse-json.ts';
import { explainFile, Failure } from '../../failure.ts';
import { FolderStorage } from '../../store/folder-storage.ts';
import { defaultPlacement, type Placement } from './plain-site.ts';

type Settings = Pick<Placement, 'root' | 'listen' | 'serverName' | 'shim'>;

/**
 * Where a site is served from: what is said now, else what was said the last time, else the defaults. So a publication changes
 * nothing about its host. Throws a Failure when what was written down is something else.
 */
export function rememberedPlacement(directory: string, out: string, said: Partial<Settings>): Placement {
  return { ...defaultPlacement(directory), ...readSettings(out), ...said, out };
}

/** Writes down what was said, for the next time. */
export function rememberedSettings({ root, listen, serverName, shim }: Placement): string {
  const record = { format: 'shelfpress-hosts', format_version: 1, root, listen, server_name: serverName, shim };
  return `${JSON.stringify(record, null, 2)}\n`;
}

function readSettings(out: string): Partial<Settings> {
  const file = join(out, hostsFile);
  const bytes = explainFile(file, 'a file that can be read', () => new FolderStorage(out).read(hostsFile));
  if (bytes === null) return {};
  const result = hostsRecord.safeParse(parseJson(Buffer.from(bytes).toString()));
  if (!result.success) throw new Failure(`${file}: expected settings of hosts, got something else`);
  const { root, listen, server_name: serverName, shim } = result.data;
  return { root, listen, serverName, shim };
}
