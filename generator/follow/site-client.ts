import type * as z from 'zod';
import { Failure } from '../failure.ts';
import { HttpClient, type Reply } from '../remote/http-client.ts';
import { jsonObject } from '../remote/json-object.ts';
import { limits } from '../remote/limits.ts';
import { usualPatience } from '../remote/patience.ts';

/** A document as a host sent it. `revision`: what X-Publication-Revision says; null on a host that does not send it. */
export type Received<Value> = { readonly value: Value; readonly revision: string | null };

/** Whoever follows a feed looks again by itself. */
const patience = { ...usualPatience, attempts: 1, firstWaitMs: 0, longestWaitMs: 0 };

/** Gets documents of a site from any host. Whatever keeps it from doing so is a Failure that names the address. */
export class SiteClient {
  readonly root: string;
  readonly #http: HttpClient;

  /** `root`: the public root of the site, without a slash at its end. `redirectsTo`: other hosts that it may lead to. */
  constructor(root: string, redirectsTo: readonly string[]) {
    this.root = root;
    this.#http = new HttpClient({ patience, redirectsTo });
  }

  /** A bare file server knows `/v1/changes` by the name of its file only: that is asked for where the address is not known. */
  async get<Value>(path: string, schema: z.ZodType<Value>): Promise<Received<Value>> {
    const url = `${this.root}${path}`;
    const reply = await this.#ask(url);
    if (reply.status !== 404 || path.endsWith('.json')) return read(url, reply, schema);
    return read(`${url}.json`, await this.#ask(`${url}.json`), schema);
  }

  #ask(url: string): Promise<Reply> {
    return this.#http.get(url, { headers: { Accept: 'application/json' }, maxBytes: limits.list });
  }
}

function read<Value>(url: string, { status, headers, bytes }: Reply, schema: z.ZodType<Value>): Received<Value> {
  if (status !== 200) throw new Failure(`GET ${url}: expected status 200, got ${status}`);
  return { value: jsonObject(bytes, schema, `GET ${url}`), revision: headers.get('x-publication-revision') };
}
