import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Ends a run with a list of what was skipped, and why. */
export class SkippedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>();
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const line = `of ${relative('.', module.moduleId)}: ${reasonOf(test)}`;
        counts.set(line, (counts.get(line) ?? 0) + 1);
      }
    }
    for (const [line, count] of counts) console.log(`skipped: ${count} ${count === 1 ? 'test' : 'tests'} ${line}`);
  }
}

/** The reason that the test itself gives, or what is missing for it or its group. */
function reasonOf(test: TestCase): string {
  const result = test.result();
  if (result.state === 'skipped' && result.note !== undefined) return result.note;
  for (let task: TestCase['parent'] | TestCase = test; task.type !== 'module'; task = task.parent) {
    const { missing } = task.meta();
    if (missing !== undefined) return `${missing} is not installed`;
  }
  return 'it is not for this system or this user';
}
