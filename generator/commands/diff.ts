import type { Command } from 'commander';
import { comparedThings, type Difference, diffSides } from '../diff/diff.ts';
import { openSide, type Side } from '../diff/side.ts';
import { NegativeAnswer, type Output, publicationText, withExample } from './command-line.ts';
import { DifferenceList, differenceJson } from './diff-lines.ts';
import { parseSiteOrFolder, redirectOption } from './options.ts';

type Options = { all: boolean; allowRedirectsTo?: readonly string[]; json: boolean };

/** Lines of each change that are shown without `--all`. */
const shownLines = 10;

/** `diff A B`: the differences of two publications. Exit code 1 when there are any, like diff(1). */
export function defineDiff(command: Command, output: Output): void {
  command
    .argument('<a>', 'URL or folder of a site, DATABASE, DATABASE@SEQUENCE or DATABASE@REVISION', parseSiteOrFolder)
    .argument('<b>', 'what to compare it with, of the same or another kind', parseSiteOrFolder)
    .option('--all', `print every difference, and not only the first ${shownLines} of each kind`, false)
    .addOption(redirectOption())
    .option('--json', 'print one JSON object per difference, and one with the counts at the end', false)
    .addHelpText('after', '\nExit code: 0 equal, 1 different or failed (a failure is explained on standard error).')
    .action(async (...[first, second, options]: [string, string, Options]) => {
      const a = await openSide(first, options.allowRedirectsTo);
      try {
        const b = await openSide(second, options.allowRedirectsTo);
        try {
          const isEqual = options.json ? await printJson(a, b, output) : await printLines(a, b, options, output);
          if (!isEqual) throw new NegativeAnswer();
        } finally {
          b.close();
        }
      } finally {
        a.close();
      }
    });
  withExample(command, 'shelfpress diff publication.sqlite@49 publication.sqlite@50');
}

async function printJson(a: Side, b: Side, output: Output): Promise<boolean> {
  const print = (difference: Difference) => output.json(differenceJson(difference));
  const { isEqual, counts } = await diffSides(a, b, print, (thing) => output.progress(`comparing ${thing}`));
  output.json({ type: 'summary', equal: isEqual, a: jsonOf(a), b: jsonOf(b), counts });
  return isEqual;
}

async function printLines(a: Side, b: Side, { all }: Options, output: Output): Promise<boolean> {
  const limit = all ? Number.POSITIVE_INFINITY : shownLines;
  const newList = () => new DifferenceList(limit);
  const lists = {
    products: newList(),
    stores: newList(),
    inventory: newList(),
    about: newList(),
    documents: newList(),
  };
  output.line(`a: ${a.name}: ${publicationText(a.publication)}`);
  output.line(`b: ${b.name}: ${publicationText(b.publication)}`);
  const { isEqual, counts } = await diffSides(
    a,
    b,
    (difference) => lists[difference.thing].add(difference),
    (thing) => output.progress(`comparing ${thing}`),
  );
  for (const thing of comparedThings) {
    for (const line of lists[thing].linesFor(thing, counts[thing])) output.line(line);
  }
  return isEqual;
}

function jsonOf({ name, publication: { sequence, revision, published_at } }: Side) {
  return { name, sequence, revision, published_at };
}
