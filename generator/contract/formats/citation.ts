import { type About, contactPoint } from '../documents/about.ts';
import { type DataLicense, dataTitleOf } from './data-package.ts';

/**
 * How to cite the data of a publication, as a file of the Citation File Format 1.2.0, with what the operator states of the data.
 * The texts are in JSON's quotes, which YAML reads as they are.
 */
export function formatCitation(
  { revision, published_at }: { readonly revision: string; readonly published_at: string },
  about: About | null,
  license: DataLicense | null,
): string {
  const agency = about?.agency ?? null;
  const point = about && contactPoint(about);
  const publisher = about?.title ?? 'The operator of this service';
  const lines: [string, string | null][] = [
    ['cff-version', '1.2.0'],
    ['type', 'dataset'],
    ['message', 'Please cite the revision that you used, and the day on which you downloaded it.'],
    ['title', dataTitleOf(about)],
    ['abstract', about?.notice ?? null],
    ['version', revision],
    ['date-released', published_at.slice(0, 10)],
    ['license', license?.name ?? null],
    ['license-url', license?.path ?? null],
    ['url', about?.source_url ?? null],
  ];
  const fields = lines.flatMap(([key, value]) => (value === null ? [] : [`${key}: ${JSON.stringify(value)}\n`]));
  const authors = `authors:\n  - name: ${JSON.stringify(agency ?? publisher)}\n`;
  const reached =
    point && ('url' in point ? `website: ${JSON.stringify(point.url)}` : `email: ${JSON.stringify(point.email)}`);
  const contact = reached ? `contact:\n  - name: ${JSON.stringify(publisher)}\n    ${reached}\n` : '';
  return `${fields.join('')}${authors}${contact}`;
}
