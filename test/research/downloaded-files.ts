import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Downloads the file at each address in a query into a folder, and returns the query with the files in their place. */
export async function onFiles(sql: string, folder: string): Promise<string> {
  const addresses = new Set([...sql.matchAll(/'(https?:[^']+)'/g)].map(([, address = '']) => address));
  let local = sql;
  for (const address of addresses) {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`expected the file ${address}, got ${response.status}`);
    const file = join(folder, new URL(address).pathname);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, Buffer.from(await response.arrayBuffer()));
    local = local.replaceAll(`'${address}'`, `'${file}'`);
  }
  return local;
}
