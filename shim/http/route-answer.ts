import { addressTable, isDownload } from '../../generator/contract/addresses.ts';
import { contentDisposition } from '../../generator/contract/downloads.ts';
import type { Route } from '../../generator/contract/formats/site.ts';
import { cacheControl, commonHeaders, httpDate } from '../../generator/contract/headers.ts';
import { type PathKind, parsePath } from '../../generator/contract/paths.ts';
import type { Answer, ReadRequest, Refusal } from '../answer.ts';
import { takesParameters } from '../query.ts';
import { ByteCache } from '../site/byte-cache.ts';
import type { PublicationView } from '../site/publication-view.ts';
import { chooseCoding } from './content-coding.ts';
import { type Coded, coded, fileAnswer } from './file-answer.ts';

/** A route with the heads of all its answers, made once. Answering then means choosing one of them. */
class PreparedRoute {
  readonly kind: PathKind | 'none';
  /** Whether the route is a list. If the list has another page, its answer has a cursor and is not the file. */
  readonly mayContinue: boolean;
  readonly #isDownload: boolean;
  readonly #identity: Coded;
  readonly #variants: readonly Coded[];
  readonly #codings: readonly string[];

  constructor(view: PublicationView, route: Route) {
    const address = parsePath(route.path);
    this.kind = address?.kind ?? 'none';
    this.mayContinue = this.kind !== 'none' && takesParameters(this.kind);
    this.#isDownload = address !== null && isDownload(address.kind);
    const variants = route.variants ?? [];
    const disposition = contentDisposition(route);
    const link = address && addressTable[address.kind].link;
    // An export belongs to the revision in its path, even if another one is current.
    const common = {
      ...commonHeaders,
      'Last-Modified': httpDate(route.last_modified),
      'Cache-Control': cacheControl(route),
      'X-Publication-Revision': address?.parameters.revision ?? view.revision,
      ...(variants.length > 0 ? { Vary: 'Accept-Encoding' } : {}),
    };
    const codedAs = ({ sha256, size, etag }: Pick<Route, 'sha256' | 'size' | 'etag'>, encoding: string | null) =>
      coded(
        { etag, last_modified: route.last_modified },
        { ...common, ETag: etag },
        {
          'Content-Type': route.media_type,
          ...(encoding ? { 'Content-Encoding': encoding } : {}),
          ...(link ? { Link: link } : {}),
          ...(disposition ? { 'Content-Disposition': disposition } : {}),
          ...(this.#isDownload ? { 'Accept-Ranges': 'bytes' } : {}),
        },
        { object: { sha256, size, etag }, view, resource: this.kind },
      );
    this.#identity = codedAs(route, route.encoding);
    this.#variants = variants.map((variant) => codedAs(variant, variant.encoding));
    this.#codings = variants.map(({ encoding }) => encoding);
  }

  /** The whole file, the requested part of it, a 304 if the client has it already, or a refusal, contract.md 5. */
  answer(request: ReadRequest): Answer | Refusal {
    const chosen = chooseCoding(request.headers.get('accept-encoding'), this.#codings);
    return fileAnswer(request, this.#variants[chosen ?? -1] ?? this.#identity, this.#isDownload);
  }
}

/** How many prepared routes are kept, at about three kilobytes each. */
const defaultLimit = 4096;

/**
 * The routes of the served publication that were requested last, prepared. Requests to another publication use its
 * route table.
 */
export class PreparedRoutes {
  readonly #limit: number;
  #view: PublicationView | null = null;
  #routes: ByteCache<PreparedRoute>;

  /** `limit`: the number of routes that are kept. */
  constructor(limit = defaultLimit) {
    this.#limit = limit;
    this.#routes = new ByteCache(limit);
  }

  /**
   * The route of the served publication, if it is prepared already. Returns at once. Starts anew when another
   * publication is served.
   */
  known(served: PublicationView, path: string): PreparedRoute | undefined {
    if (served !== this.#view) {
      this.#view = served;
      this.#routes = new ByteCache(this.#limit);
    }
    return this.#routes.get(path);
  }

  /** Null when the publication has no such route. Rejects when its route table cannot be read. */
  async of(view: PublicationView, path: string): Promise<PreparedRoute | null> {
    const known = view === this.#view ? this.#routes.get(path) : undefined;
    if (known) return known;
    const route = await view.lookup(path);
    if (route === null) return null;
    const prepared = new PreparedRoute(view, route);
    if (view === this.#view) this.#routes.set(path, prepared, 1);
    return prepared;
  }
}
