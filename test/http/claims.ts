import { isDeepStrictEqual } from 'node:util';
import { parseJson } from '../../contract/text.ts';
import type { Reply } from '../support/http-client.ts';
import type { FixtureSite } from './fixture-site.ts';
import type { Claim, Exchange } from './script-format.ts';

/** The state of a running script: the site, the values that it kept, and the previous answer. */
export class ScriptContext {
  readonly #site: FixtureSite;
  readonly #kept = new Map<string, string>();
  #before: Buffer | null = null;

  constructor(site: FixtureSite) {
    this.#site = site;
  }

  /** Fills in the placeholders of a text, inner ones first. Other braces are left alone, because JSON has them too. */
  fill(text: string): string {
    const filled = text.replace(/\{([a-z_]+)(?::([^{}]*))?\}/g, (_, name: string, of = '') => {
      const value = this.#kept.get(name) ?? this.#site.fact(name, of);
      if (value === null) throw new Error(`nothing is called {${name}}`);
      return value;
    });
    return filled === text ? text : this.fill(filled);
  }

  /** How an answer differs from the script. Keeps the values that the script needs later. */
  differences({ status, claims }: Exchange, reply: Reply): string[] {
    const found = reply.status === status ? [] : [`status: expected ${status}, got ${reply.status}`];
    for (const claim of claims) found.push(...this.#check(claim, reply));
    this.#before = reply.body;
    return found;
  }

  #check(claim: Claim, reply: Reply): string[] {
    if (claim.about === 'body') return this.#checkBody(this.fill(claim.value), reply.body);
    const isHeader = claim.about === 'header';
    const where = isHeader ? claim.name : claim.path;
    const actual = isHeader ? reply.headers[claim.name.toLowerCase()] : valueAt(reply.body, claim.path);
    if (claim.relation === 'keep') {
      if (typeof actual !== 'string') return [`${where}: expected something to keep, got ${JSON.stringify(actual)}`];
      this.#kept.set(claim.value, actual);
      return [];
    }
    const expected = this.fill(claim.value);
    if (claim.relation === 'absent') return actual === undefined ? [] : [`${where}: expected none, got ${actual}`];
    if (claim.relation === 'matches') {
      const texts = Array.isArray(actual) ? actual : [actual];
      const matches = texts.length > 0 && texts.every((text) => new RegExp(expected).test(String(text)));
      return matches ? [] : [`${where}: expected /${expected}/, got ${JSON.stringify(actual)}`];
    }
    const value: unknown = isHeader ? expected : JSON.parse(expected);
    if (isDeepStrictEqual(actual, value)) return [];
    return [`${where}: expected ${JSON.stringify(value)}, got ${JSON.stringify(actual)}`];
  }

  #checkBody(value: string, body: Buffer): string[] {
    const expected = this.#expectedBody(value);
    return body.equals(expected)
      ? []
      : [`(${value}): expected ${expected.length} bytes, got ${body.length} that are not these`];
  }

  #expectedBody(value: string): Buffer {
    if (value === 'no body') return Buffer.alloc(0);
    if (value === 'the same body' && this.#before) return this.#before;
    const [, start, end, address] = /^bytes (?:(\d+)-(\d+) )?of (.+)$/.exec(value) ?? [];
    if (address === undefined) throw new Error(`no line about a body says (${value})`);
    const bytes = this.#site.bytes(address);
    return start === undefined ? bytes : bytes.subarray(Number(start), Number(end) + 1);
  }
}

/** The values at a path like `$.data[0].name` in JSON; `[*]` means every element of a list. */
function valueAt(body: Buffer, path: string): unknown {
  const steps = [...path.slice(1).matchAll(/\.(\w+)|\[(\d+|\*)\]/g)].map(([, name, index]) => name ?? index ?? '');
  if (steps.length === 0) throw new Error(`no path: ${path}`);
  return follow(parseJson(body.toString()) ?? undefined, steps);
}

function follow(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return value;
  if (step === '*') return Array.isArray(value) ? value.map((item) => follow(item, rest)) : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  return follow((value as Record<string, unknown>)[step], rest);
}
