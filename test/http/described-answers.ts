import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { isOutsideContract } from '../../contract/paths.ts';
import type { Reply } from '../support/http-client.ts';
import type { Asked } from './house-rules.ts';

type Reference = { readonly $ref?: string };
type Header = { readonly required?: boolean; readonly schema: object };
type Response = {
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
};
type Operation = {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Response & Reference>>;
};

export type Description = {
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly components: { readonly headers: Readonly<Record<string, Header>> };
};

const prefix = '/v1';

/** Checks answers against the service's own description, as a client generated from it would. */
export class DescribedAnswers {
  /** The operation and status of every answer that was checked. */
  readonly seen = new Set<string>();
  readonly #description: Description;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #operations: readonly { readonly pattern: RegExp; readonly names: number; readonly operation: Operation }[];
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(description: Description) {
    this.#description = description;
    ajvFormats.default(this.#ajv);
    this.#ajv.addSchema(description, 'openapi');
    this.#operations = Object.entries(description.paths)
      .map(([path, { get }]) => ({ pattern: addressPattern(path), names: path.split('{').length, operation: get }))
      .sort((a, b) => a.names - b.names);
  }

  /**
   * How an answer to a GET or HEAD differs from the description. An undescribed address must be a 404 or 414, unless it
   * is for people.
   */
  violations({ method, target }: Asked, reply: Reply): string[] {
    if (method !== 'GET' && method !== 'HEAD') return [];
    // The explorer is not part of the contract, which is what the description is about.
    if (isOutsideContract(target.split('?')[0] ?? '')) return [];
    const operation = this.#operationAt(target.split('?')[0] ?? '');
    if (operation === null) {
      const isFine = [400, 404, 414, 503].includes(reply.status);
      return isFine ? [] : [`an address that is not described is answered with ${reply.status}`];
    }
    this.seen.add(`${operation.operationId} ${reply.status}`);
    const where = `${operation.operationId} ${reply.status}`;
    const response = this.#resolve<Response>(operation.responses[reply.status]);
    if (response === null) return [`${where}: the status is not described`];
    const found = [...this.#headerViolations(response, reply), ...this.#bodyViolations(where, response, method, reply)];
    return found.map((message) => `${where}: ${message}`);
  }

  #operationAt(path: string): Operation | null {
    const local = path === prefix || path === `${prefix}/` ? '/' : path.slice(prefix.length);
    if (!path.startsWith(prefix)) return null;
    return this.#operations.find(({ pattern }) => pattern.test(local))?.operation ?? null;
  }

  #headerViolations({ headers = {} }: Response, reply: Reply): string[] {
    return Object.entries(headers).flatMap(([name, reference]) => {
      const header = this.#resolve<Header>(reference) ?? { schema: {} };
      const value = reply.headers[name.toLowerCase()];
      if (value === undefined) return header.required ? [`expected a header ${name}`] : [];
      const isNumber = (header.schema as { type?: string }).type === 'integer';
      const validate = this.#compile(`header ${name}`, header.schema);
      return validate(isNumber ? Number(value) : value) ? [] : [`${name}: ${value} is not as described`];
    });
  }

  #bodyViolations(where: string, { content }: Response, method: string, reply: Reply): string[] {
    if (content === undefined) return reply.body.length === 0 ? [] : ['a body where none is described'];
    const mediaType = reply.headers['content-type'] ?? '';
    const described = content[mediaType];
    if (!described) return [`the media type ${mediaType} is not described`];
    // Another test compares compressed answers with the uncompressed ones, and the parts of a file with its bytes.
    if (method === 'HEAD' || reply.headers['content-encoding'] !== undefined) return [];
    const validate = this.#compile(`${where} ${mediaType}`, described.schema);
    const text = reply.body.toString();
    if (validate(isJson(mediaType) ? JSON.parse(text) : text)) return [];
    return [`the body is not as described: ${JSON.stringify(validate.errors?.slice(0, 3))}`];
  }

  #resolve<Value>(value: (object & Reference) | undefined): Value | null {
    if (value === undefined) return null;
    if (value.$ref === undefined) return value as Value;
    const steps = value.$ref.slice('#/'.length).split('/');
    return steps.reduce<unknown>((part, step) => (part as Record<string, unknown>)[step], this.#description) as Value;
  }

  #compile(key: string, schema: object): ValidateFunction {
    const known = this.#validators.get(key);
    if (known) return known;
    const validate = this.#ajv.compile(absolute(schema) as object);
    this.#validators.set(key, validate);
    return validate;
  }
}

function isJson(mediaType: string): boolean {
  return /[/+]json$/.test(mediaType);
}

/**
 * A pattern for the addresses of a template such as `/products/{product_id}/changes`. A value can be anything without a
 * slash.
 */
function addressPattern(path: string): RegExp {
  const escaped = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/\{[a-z_]+\}/g, '[^/]+')}$`);
}

/** Turns references into the form that resolves from outside the description. */
function absolute(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(absolute);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      key === '$ref' && typeof part === 'string' ? part.replace(/^#/, 'openapi#') : absolute(part),
    ]),
  );
}
