import * as z from 'zod';
import { changeHistory, familyScope } from './change.ts';
import { address, uuid } from './primitives.ts';
import { warnings } from './warning.ts';

/*
 * Lists and pages as a selection reads them. They were checked in full when they were written and are what their hash
 * says, so only what a selection looks at is named here.
 */

const links = z.looseObject({ self: address.nullable(), next: address.nullable() });

/** A change list or one of its pages. */
export const eventPage = z.looseObject({
  data: z.array(
    z.looseObject({
      type: z.string(),
      store: z.looseObject({ id: z.string() }).nullable(),
      times: z.looseObject({ retrieved_at: z.string() }),
    }),
  ),
  meta: z.looseObject({ history: changeHistory, warnings, family: familyScope.optional() }),
  links,
});

export type EventPage = z.infer<typeof eventPage>;

/** A list by name or one of its pages. */
export const rowPage = z.looseObject({
  data: z.array(z.looseObject({ id: uuid })),
  meta: z.looseObject({ warnings }),
  links,
});

export type RowPage = z.infer<typeof rowPage>;

/** A document of one resource, as far as its id. */
export const identified = z.looseObject({ data: z.looseObject({ id: uuid }) });
