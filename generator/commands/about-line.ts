import type { About } from '../contract/documents/metadata.ts';

/** What the operator states of the data, as `inspect` prints it: the title, the agency and the license. */
export function aboutLine(about: About | null): string {
  if (about === null) return 'about: nothing stated';
  const { title, agency, license } = about;
  const of = agency === null ? '' : `, reports of ${agency}`;
  return `about: ${title ?? 'no title'}${of}; ${license === null ? 'no license' : `license ${license.name}`}`;
}
