import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Reply } from '../support/http-client.ts';
import { ScriptContext } from './claims.ts';
import { DescribedAnswers, type Description } from './described-answers.ts';
import type { FixtureSite } from './fixture-site.ts';
import { violations } from './house-rules.ts';
import { type Exchange, parseScripts } from './script-format.ts';

const folder = new URL('scripts/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.http'));

/** The servers that scripts name, with the sites for their placeholders. */
export interface ScriptServers extends AsyncDisposable {
  readonly site: FixtureSite;
  named(name: string): Promise<ScriptServer>;
}

export type ScriptServer = {
  get(target: string, headers: Record<string, string>, method: string): Promise<Reply>;
};

/** Declares a test for every script. `seesRawTargets`: the host gets request targets as they were written. */
export function runScripts(prepare: () => Promise<ScriptServers>, { seesRawTargets }: { seesRawTargets: boolean }) {
  let servers: ScriptServers;
  let described: DescribedAnswers;

  beforeAll(async () => {
    servers = await prepare();
    described = new DescribedAnswers(servers.site.document<Description>('/v1/openapi.json'));
  });

  afterAll(() => servers?.[Symbol.asyncDispose]());

  describe.each(files)('%s', (file) => {
    const scripts = parseScripts(readFileSync(new URL(file, folder), 'utf8')).filter(
      ({ needsRawTarget }) => seesRawTargets || !needsRawTarget,
    );

    test.each(scripts.map((script) => [script.title, script] as const))('%s', async (_, { exchanges }) => {
      const context = new ScriptContext(servers.site);
      for (const exchange of exchanges) {
        const asked = {
          method: exchange.method,
          target: context.fill(exchange.target),
          headers: filledFields(exchange, context),
        };
        const reply = await ask(servers, exchange.server, asked);
        const found = [
          ...context.differences(exchange, reply),
          ...violations(asked, reply),
          ...described.violations(asked, reply),
        ];
        expect(found, shown(asked, reply)).toEqual([]);
      }
    });
  });
}

type AskedFor = { readonly method: string; readonly target: string; readonly headers: Record<string, string> };

async function ask(servers: ScriptServers, name: string, { method, target, headers }: AskedFor): Promise<Reply> {
  return (await servers.named(name)).get(target, headers, method);
}

function filledFields({ headers }: Exchange, context: ScriptContext): Record<string, string> {
  return Object.fromEntries(headers.map(([name, value]) => [name, context.fill(value)]));
}

/** An exchange in the form of an error message. */
function shown({ method, target, headers }: AskedFor, reply: Reply): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const answered = Object.entries(reply.headers).map(([name, value]) => `${name}: ${value}`);
  const body = reply.body.toString('latin1').slice(0, 1000);
  return ['', `${method} ${target.slice(0, 300)}`, ...fields, '', reply.status, ...answered, '', body, ''].join('\n');
}
