import { Feed, wholeLog } from '../model/page-sealing.ts';
import { allChangesPaths, type ChangeList } from '../resources/change-list.ts';
import type { DocumentWriter } from './document-writer.ts';

/** The list of all changes. It reads its events on demand. */
export function allChanges({ state, events }: DocumentWriter): ChangeList {
  const log = wholeLog(state.publications, (first, last) => events.span(first, last));
  return {
    listPaths: allChangesPaths,
    feed: new Feed(log, state.publicationAt),
    events: (first, last) => events.range(first, last),
  };
}
