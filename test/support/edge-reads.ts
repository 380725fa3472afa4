import { type EdgeQuestion, edgeQuestions } from '../../bench/edge/edge-questions.ts';
import { LocalEdge, type LocalWorker } from './local-edge.ts';

/** Reads of the bucket for a request: class B operations of R2. */
export type EdgeReads = {
  readonly kind: string;
  /** Reads of a new isolate; the pointer and the root of the route table are among them. */
  readonly first: number;
  /** Reads of an isolate that has answered another question about the same publication. */
  readonly settled: number;
  /** Reads when the same question is asked again. */
  readonly again: number;
};

const bucket = 'site';
const variables = { CURSOR_SECRET: 'a secret of this benchmark', LOG_REQUESTS: 'true' };

function worker(name: string): LocalWorker {
  return { name, bucket, variables, ratePerMinute: null };
}

/** Asks every kind of question about a built site, each in its own isolates. */
export async function measureReads(dist: string): Promise<EdgeReads[]> {
  await using guide = await LocalEdge.start([worker('guide')]);
  await guide.upload(dist, 'guide');
  const questions = await edgeQuestions(await guide.urlOf('guide'));
  const names = questions.flatMap((_, number) => [`first-${number}`, `settled-${number}`]);
  await using edge = await LocalEdge.start(names.map(worker));
  await edge.upload(dist, names[0] ?? '');
  const found: EdgeReads[] = [];
  for (const [number, question] of questions.entries()) found.push(await readsOf(edge, question, number));
  return found;
}

async function readsOf(edge: LocalEdge, question: EdgeQuestion, number: number): Promise<EdgeReads> {
  const first = await readsAfter(edge, `first-${number}`, 'cold', question);
  const before = await readsAfter(edge, `settled-${number}`, 'before', {
    kind: 'nothing',
    target: () => '/v1/nowhere',
  });
  const settled = await readsAfter(edge, `settled-${number}`, 'settled', question);
  const again = await readsAfter(edge, `settled-${number}`, 'again', question);
  return { kind: question.kind, first, settled: settled - before, again: again - settled };
}

/** The total reads of an isolate after an answer. The client's address identifies the line in the log. */
async function readsAfter(edge: LocalEdge, name: string, turn: string, question: EdgeQuestion): Promise<number> {
  const client = `${name}-${turn}`;
  const headers = { ...question.headers, 'CF-Connecting-IP': client };
  const answer = await fetch(new URL(question.target(0), await edge.urlOf(name)), { headers });
  await answer.arrayBuffer();
  if (answer.status >= 500) throw new Error(`${question.kind}: ${name} answered with ${answer.status}`);
  const { bucket_reads: reads } = await edge.logged({ client });
  return reads as number;
}
