import * as z from 'zod';
import { count, dateTime, text, uuid } from '../primitives.ts';

const statement = {
  corrected_by_revision: uuid,
  reason: text,
  corrected_at: dateTime,
};

/** A later publication's statement that a publication is wrong. `corrected_at` is when the later one was published. */
export const correction = z.strictObject(statement).meta({ id: 'Correction' });

export type Correction = z.infer<typeof correction>;

/** The statement about the publication of a revision. */
export const revisionCorrection = z.strictObject({ revision: uuid, ...statement }).meta({ id: 'RevisionCorrection' });

export type RevisionCorrection = z.infer<typeof revisionCorrection>;

/** The newest correction of the series, with all revisions that it corrects, oldest first. */
export const newestCorrection = z
  .strictObject({ revisions: z.array(uuid).min(1), ...statement })
  .meta({ id: 'NewestCorrection' });

export type NewestCorrection = z.infer<typeof newestCorrection>;

/** The events that a corrected publication brought, by their numbers; null when it brought none. */
const correctedEvents = z.strictObject({
  revision: uuid,
  first_event: count.min(1).nullable(),
  last_event: count.min(1).nullable(),
});

/**
 * A correction in the feed of changes. `number` counts the corrections of the series from 1. It stands in the feed after
 * the event `after_event`, right before the first event of the publication that corrects; 0 is before all events.
 */
export const feedCorrection = z
  .strictObject({
    number: z.int().min(1),
    after_event: count,
    ...statement,
    corrected: z.array(correctedEvents).min(1),
  })
  .meta({ id: 'FeedCorrection' });

/** The feed of all changes: the number of its newest event, and every correction of the series, oldest first. */
export const feedState = z
  .strictObject({ last_event: count, corrections: z.array(feedCorrection) })
  .meta({ id: 'FeedState' });

export type FeedState = z.infer<typeof feedState>;
