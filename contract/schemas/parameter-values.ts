import * as z from 'zod';
import type { ParameterKind } from '../parameters.ts';
import { categoryId, sku } from './primitives.ts';

const instant = z
  .string()
  .regex(
    new RegExp(
      `^(?:${z.regexes.date.source.slice(1, -1)})[Tt](?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:[Zz]|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$`,
    ),
  )
  .meta({ format: 'date-time' });

export function parameterSchema(is: ParameterKind): z.ZodType<string | number> {
  switch (is.type) {
    case 'integer':
      return z.int().min(is.min).max(is.max);
    case 'number':
      return z.number().min(is.min).max(is.max);
    case 'text':
      return z.string().min(is.min).max(is.max);
    case 'word':
      return z.enum([...is.words]);
    case 'category':
      return categoryId.max(is.max);
    case 'sku':
      return sku;
    case 'uuid':
      return z.guid();
    case 'instant':
      return instant;
  }
}
