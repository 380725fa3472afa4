import { readFileSync } from 'node:fs';
import { ScriptContext } from '../http/claims.ts';
import type { FixtureSite } from '../http/fixture-site.ts';
import { parseScripts, type Script } from '../http/script-format.ts';
import type { Host } from './host.ts';

/** What a host of a site may promise, and the requests that show it, in the order of the table. */
export const promises: readonly Script[] = parseScripts(
  readFileSync(new URL('promises.http', import.meta.url), 'utf8'),
);

/** What is not as a promise says; nothing when the host keeps it. */
export async function differences(site: FixtureSite, host: Host, { exchanges }: Script): Promise<string[]> {
  const context = new ScriptContext(site);
  for (const exchange of exchanges) {
    const { method } = exchange;
    const target = context.fill(exchange.target);
    const headers = Object.fromEntries(exchange.headers.map(([name, value]) => [name, context.fill(value)]));
    const reply = await host.get(target, headers, method);
    const found = context.differences(exchange, reply);
    if (found.length > 0) return found.map((difference) => `${method} ${target.slice(0, 100)}: ${difference}`);
  }
  return [];
}
