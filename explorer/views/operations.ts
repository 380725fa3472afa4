import type { OpenApiDocument } from '../../client/documents.ts';
import type { AddressKind } from '../../contract/addresses.ts';
import type { ProblemCode } from '../../contract/problem.ts';

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description: string;
  /** The allowed values; empty if they are not a fixed list. */
  readonly choices: readonly string[];
};

/**
 * An operation of the API. `needsComputing`: whether its parameters, or the whole operation, need a host that computes.
 */
export type Operation = {
  readonly kind: AddressKind;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly needsComputing: 'no' | 'parameters' | 'always';
  readonly isFile: boolean;
};

export type OperationGroup = {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
};

type Schema = { readonly enum?: readonly string[]; readonly items?: Schema; readonly type?: string };
type DescribedParameter = {
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
};
type Described = {
  readonly operationId: AddressKind;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly DescribedParameter[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
};

/** Operations that no file can answer. */
const alwaysComputed: readonly AddressKind[] = ['search', 'comparison'];

/** The operations of the OpenAPI description by tag, in its order. */
export function operationGroups(document: OpenApiDocument): readonly OperationGroup[] {
  const tags = document.tags as readonly { readonly name: string; readonly description: string }[];
  const described = Object.entries(document.paths).flatMap(([path, item]) => {
    const { get } = item as { readonly get?: Described };
    return get ? [{ path, get }] : [];
  });
  return tags.map(({ name, description }) => ({
    name,
    description,
    operations: described.filter(({ get }) => get.tags.includes(name)).map(({ path, get }) => readOperation(path, get)),
  }));
}

function readOperation(
  path: string,
  { operationId, summary, description, parameters, responses }: Described,
): Operation {
  const own = (parameters ?? []).flatMap((parameter) => readParameter(parameter) ?? []);
  const isAlways = alwaysComputed.includes(operationId);
  return {
    kind: operationId,
    path: path === '/' ? '/v1' : `/v1${path}`,
    summary,
    description: description ?? summary,
    parameters: own,
    needsComputing: isAlways ? 'always' : own.some((one) => one.in === 'query') ? 'parameters' : 'no',
    isFile: !Object.keys(responses['200']?.content ?? {}).includes('application/json'),
  };
}

/** A path or query parameter; null for a header field, which the browser sets by itself. */
function readParameter({ name, in: location, required, description, schema }: DescribedParameter): Parameter | null {
  if (name === undefined || (location !== 'path' && location !== 'query')) return null;
  return {
    name,
    in: location,
    required: required ?? false,
    description: description ?? '',
    choices: schema?.enum ?? schema?.items?.enum ?? [],
  };
}

/** All problem codes in the OpenAPI description. */
export function problemCodes(document: OpenApiDocument): readonly ProblemCode[] {
  const { get } = document.paths['/problems/{problem}'] as { readonly get: Described };
  return (get.parameters?.[0]?.schema?.enum ?? []) as readonly ProblemCode[];
}
