import * as z from 'zod';
import { addressTable } from '../addresses.ts';
import { exportResource } from '../formats/export.ts';
import { type PathKind, templates } from '../paths.ts';
import { sku, slug, storeCode, uuid } from '../primitives.ts';
import { problemCode } from '../problem.ts';
import { type Json, jsonSchema } from './schemas.ts';

type Described = { readonly schema: z.ZodType; readonly description: string };

const described: Readonly<Record<string, Described>> = {
  product_id: { schema: uuid, description: 'Stable product id' },
  store_id: { schema: uuid, description: 'Stable store id' },
  family_id: { schema: uuid, description: 'Stable product-family id' },
  brand_id: { schema: uuid, description: 'Stable brand id' },
  revision: { schema: uuid, description: 'Revision of a retained publication' },
  sku: { schema: sku, description: 'Current SKU, or a former one that names one product alone' },
  code: { schema: storeCode, description: 'Inventory code of the store' },
  slug: { schema: slug, description: 'Slug of the brand' },
  resource: { schema: exportResource, description: 'Which of the three files' },
  problem: { schema: problemCode, description: 'Code of the problem' },
  number: {
    schema: z.string().regex(/^[1-9][0-9]*$/),
    description: 'Number of the page, segment or piece, from the oldest',
  },
  digest: { schema: z.string().regex(/^[0-9a-f]{16}$/), description: 'Digest that the links lead to' },
};

/** The parameters in the path of an address. Throws if one has no description. */
export function pathParameters(kind: PathKind): Json[] {
  return [...templates[kind].matchAll(/\{([a-z_]+)\}/g)].map(([, name = '']) => {
    const parameter = described[name];
    if (!parameter) throw new Error(`the path parameter ${name} has no description`);
    const { schema, description } = parameter;
    return { name, in: 'path', required: true, description, schema: jsonSchema(schema) };
  });
}

/** The query parameters of an address (contract.md 3). Most addresses have none. */
export function queryParametersOf(kind: PathKind): Json[] {
  return Object.entries(addressTable[kind].query ?? {}).map(([name, { schema, list, required, description }]) => ({
    name,
    in: 'query',
    required: required ?? false,
    description,
    ...(list === undefined
      ? { schema: jsonSchema(schema) }
      : {
          style: 'form',
          explode: false,
          schema: { type: 'array', items: jsonSchema(schema), minItems: 1, maxItems: list, uniqueItems: true },
        }),
  }));
}
