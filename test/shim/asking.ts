import type * as z from 'zod';
import { addresser } from '../../contract/paths.ts';
import type { ProblemCode } from '../../contract/problem.ts';
import type { pageLinks, pageMeta } from '../../contract/schemas/primitives.ts';
import { problem } from '../../contract/schemas/problem.ts';
import { Handler } from '../../shim/handler.ts';
import type { Answer, ServedSource } from '../../shim/host.ts';
import { QuestionQueue } from '../../shim/question-queue.ts';
import { CurrentPublication } from '../../shim/site/current-publication.ts';

type Fields = Readonly<Record<string, string>>;

/** The parts of a list's page that tests use. */
export type AskedPage<Row> = {
  readonly data: readonly Row[];
  readonly meta: { readonly page: z.infer<typeof pageMeta>; readonly history?: unknown };
  readonly links: z.infer<typeof pageLinks>;
};

/** The parts of an answer that tests use. `body`: the computed JSON; null for a file, which the host sends. */
export class Asked {
  readonly status: number;
  readonly headers: Fields;
  readonly kind: string;
  readonly body: unknown;

  constructor(answer: Answer) {
    this.status = answer.status;
    this.headers = answer.headers;
    this.kind = answer.kind;
    this.body = 'body' in answer ? JSON.parse(Buffer.from(answer.body).toString()) : null;
  }

  /** The computed page of a list; throws for any other answer. */
  page<Row>(): AskedPage<Row> {
    if (this.kind !== 'json') throw new Error(`expected a page of a list, got ${this.status} (${this.kind})`);
    return this.body as AskedPage<Row>;
  }

  /** The address of the next page; throws on the last page. */
  get next(): string {
    const { next } = this.page().links;
    if (next === null) throw new Error('expected a page that continues, got the last one');
    return next;
  }

  /** The code of a problem; null for any other answer. */
  get code(): ProblemCode | null {
    return this.kind === 'problem' ? problem.parse(this.body).code : null;
  }
}

/** A handler for tests: questions do not wait, and answers are not compressed. */
export function handlerOver(
  publication: CurrentPublication,
  options: Partial<ConstructorParameters<typeof Handler>[0]> = {},
): Handler {
  return new Handler({
    publication,
    address: addresser(null),
    log: () => {},
    limiter: null,
    cursorSecrets: ['a secret of this test'],
    now: () => 0,
    queue: new QuestionQueue({ running: 64, runningPerClient: 64, waiting: 0, waitingPerClient: 0 }, setImmediate),
    compressor: null,
    ...options,
  });
}

export type Asking = {
  readonly ask: (target: string, headers?: Fields, method?: string) => Promise<Asked>;
  /** What was logged. */
  readonly messages: string[];
  /** The clock, in milliseconds, that a test may set. */
  now: number;
};

/**
 * A handler over a site, with a clock that stands still until it is set. `keptBytes`: memory for parsed objects, if
 * little.
 */
export function asking(
  reader: ServedSource,
  cursorSecrets: readonly [string, ...string[]] = ['a secret of this test'],
  kept: { readonly keptBytes?: number } = {},
): Asking {
  const messages: string[] = [];
  const state = { now: Date.UTC(2026, 0, 1) };
  const log = (_level: string, message: string) => void messages.push(message);
  const publication = new CurrentPublication({ source: reader, log, checkEveryMs: 0, ...kept });
  const now = () => state.now;
  const handler = handlerOver(publication, { log, cursorSecrets, now });
  return Object.assign(state, {
    messages,
    ask: async (target: string, headers: Fields = {}, method = 'GET') => {
      const id = crypto.randomUUID();
      const request = { id, method, target, headers: new Headers(headers), client: '192.0.2.1' };
      const asked = new Asked(await handler.answer(request));
      if (asked.kind === 'problem') problem.parse(asked.body);
      return asked;
    },
  });
}
