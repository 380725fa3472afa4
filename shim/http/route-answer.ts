import { addressTable, isDownload } from '../../generator/contract/addresses.ts';
import { contentDisposition } from '../../generator/contract/downloads.ts';
import type { Route } from '../../generator/contract/formats/site.ts';
import { cacheControl, commonHeaders, httpDate } from '../../generator/contract/headers.ts';
import { parsePath } from '../../generator/contract/paths.ts';
import type { Answer, ReadRequest, Refusal } from '../answer.ts';
import type { PublicationView } from '../site/publication-view.ts';
import { chooseCoding } from './content-coding.ts';
import { fileAnswer } from './file-answer.ts';

/**
 * The file of a route in the coding that the client prefers: whole, the requested part of it, a 304 if the client has it
 * already, or a refusal, contract.md 5.
 */
export function routeAnswer(view: PublicationView, route: Route, request: ReadRequest): Answer | Refusal {
  const address = parsePath(route.path);
  const variants = route.variants ?? [];
  const codings = variants.map(({ encoding }) => encoding);
  const chosen = chooseCoding(request.headers.get('accept-encoding'), codings);
  const { sha256, size, etag, encoding } = variants[chosen ?? -1] ?? route;
  const disposition = contentDisposition(route);
  const link = address && addressTable[address.kind].link;
  const isRanged = address !== null && isDownload(address.kind);
  return fileAnswer(request, {
    validators: { etag, last_modified: route.last_modified },
    headers: {
      ...commonHeaders,
      'Last-Modified': httpDate(route.last_modified),
      'Cache-Control': cacheControl(route),
      // An export belongs to the revision in its path, even if another one is current.
      'X-Publication-Revision': address?.parameters.revision ?? view.revision,
      ...(variants.length > 0 ? { Vary: 'Accept-Encoding' } : {}),
      ETag: etag,
    },
    described: {
      'Content-Type': route.media_type,
      ...(encoding ? { 'Content-Encoding': encoding } : {}),
      ...(link ? { Link: link } : {}),
      ...(disposition ? { 'Content-Disposition': disposition } : {}),
      ...(isRanged ? { 'Accept-Ranges': 'bytes' } : {}),
    },
    isRanged,
    file: { object: { sha256, size, etag }, view, resource: address?.kind ?? 'none' },
  });
}
