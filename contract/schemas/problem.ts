import * as z from 'zod';
import { type ProblemCode, problemKinds, problemLimits } from '../problem.ts';
import { component, text, uuid } from './primitives.ts';

export const problemCode = z.enum(Object.keys(problemKinds) as ProblemCode[]);

export const problem = component('Problem', {
  type: z.string(),
  title: text,
  status: z.int().min(400).max(599),
  detail: text,
  instance: z.string().max(problemLimits.instanceCharacters),
  code: problemCode,
  request_id: uuid,
  invalid_params: z
    .array(z.strictObject({ name: z.string(), reason: text }))
    .max(problemLimits.parameters)
    .optional(),
});

/** The document at `/problems/{code}`. */
export const problemDescription = component('ProblemDescription', {
  code: problemCode,
  title: text,
  status: z.int(),
  detail: text,
  remedy: text,
});
