import { addresser } from '../../generator/contract/paths.ts';
import { problem } from '../../generator/contract/problem.ts';
import { Handler } from '../../shim/handler.ts';
import { CurrentPublication } from '../../shim/site/current-publication.ts';
import type { ObjectReader } from '../../shim/site/object-reader.ts';

/** What a test looks at of an answer. */
export type Asked = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly kind: string;
  // biome-ignore lint/suspicious/noExplicitAny: a body is whatever the service says, and tests say what they expect of it.
  readonly body: any;
};

export type Asking = {
  readonly ask: (target: string, headers?: Readonly<Record<string, string>>, method?: string) => Promise<Asked>;
  /** What was logged. */
  readonly messages: string[];
  /** The clock, in milliseconds, that a test may set. */
  now: number;
};

/** A handler over a site, with a clock that stands still until it is set. */
export function asking(
  reader: ObjectReader,
  cursorSecrets: readonly [string, ...string[]] = ['a secret of this test'],
): Asking {
  const messages: string[] = [];
  const state = { now: Date.UTC(2026, 0, 1) };
  const log = (_level: string, message: string) => void messages.push(message);
  const publication = new CurrentPublication({ reader, log, checkEveryMs: 0 });
  const now = () => state.now;
  const handler = new Handler({ publication, address: addresser(null), log, limiter: null, cursorSecrets, now });
  return Object.assign(state, {
    messages,
    ask: async (target: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') => {
      const id = crypto.randomUUID();
      const answer = await handler.answer({ id, method, target, headers: new Headers(headers), client: '192.0.2.1' });
      const { kind, status } = answer;
      const body = 'body' in answer ? JSON.parse(Buffer.from(answer.body).toString()) : null;
      if (kind === 'problem') problem.parse(body);
      return { kind, status, headers: answer.headers, body };
    },
  });
}
