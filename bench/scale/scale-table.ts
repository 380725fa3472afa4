import { megabytes, rounded, table } from '../table.ts';
import type { AnswerKind } from './answer-kinds.ts';
import type { ScaleFigure } from './scale-benchmark.ts';

/** Kinds with a smaller share of the bytes share one row. */
const leastShare = 0.005;

/** What each step took, and what the answers of each kind are, as markdown. */
export function scaleTables(figure: ScaleFigure): string {
  const { name, products, stores, scopeStores, publications, bytes, usedBytes, steps, kinds, bytesAProduct } = figure;
  const gigabytes = (value: number) => `${(value / 1e9).toFixed(2)} GB`;
  const head = `${name}: ${products.toLocaleString('en-US')} products, ${stores} stores, ${scopeStores} of them in the scope, ${publications} publications; ${gigabytes(bytes)} asked for, ${gigabytes(usedBytes)} used`;
  const stepRows = steps.map(({ step, what, bytes: moved, seconds, cpuSeconds, peakBytes }) => [
    step,
    rounded(seconds),
    cpuSeconds === null ? '' : rounded(cpuSeconds),
    megabytes(peakBytes),
    moved === 0 ? '' : `${megabytes(moved)} (${what})`,
    moved === 0 ? '' : rounded(seconds / (moved / 1e9)),
    moved === 0 || cpuSeconds === null ? '' : rounded(cpuSeconds / (moved / 1e9)),
  ]);
  const all = kinds.reduce((sum, kind) => sum + kind.bytes, 0);
  const large = kinds.filter((kind) => kind.bytes >= leastShare * all);
  const small = kinds.slice(large.length);
  const sumOf = (of: (kind: AnswerKind) => number) => small.reduce((sum, kind) => sum + of(kind), 0);
  const rest: AnswerKind = {
    kind: `${small.length} other kinds`,
    answers: sumOf(({ answers }) => answers),
    objects: sumOf(({ objects }) => objects),
    bytes: sumOf((kind) => kind.bytes),
    gzipShare: sumOf((kind) => kind.bytes * kind.gzipShare) / sumOf((kind) => kind.bytes),
  };
  const addedBy = (kind: AnswerKind) => bytesAProduct.get(kind.kind) ?? 0;
  const added = [...large.map(addedBy), sumOf(addedBy)];
  const kindRows = [...large, rest].map(({ kind, answers, objects, bytes: own, gzipShare }, index) => [
    kind,
    answers.toLocaleString('en-US'),
    objects.toLocaleString('en-US'),
    (own / 1e6).toFixed(1),
    `${((100 * own) / all).toFixed(1)} %`,
    answers === 0 ? '' : rounded(own / answers),
    rounded(added[index] ?? 0),
    gzipShare.toFixed(2),
  ]);
  return [
    head,
    table(
      ['step', 'seconds', 'CPU seconds', 'peak MB', 'MB', 'seconds a GB', 'CPU seconds a GB'],
      ['', ':', ':', ':', ':', ':', ':'],
      stepRows,
    ),
    table(
      [
        'kind of answer',
        'answers',
        'objects',
        'MB',
        'share',
        'bytes an answer',
        'bytes a product more',
        'gzip of a sample',
      ],
      ['', ':', ':', ':', ':', ':', ':', ':'],
      kindRows,
    ),
  ].join('\n\n');
}
