import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RunningServer } from '../serve/running-server.ts';
import { installed } from '../support/installed-programs.ts';
import { programFile } from '../support/programs.ts';
import { duckdbQuery } from './duckdb-query.ts';
import { readText, root } from './repository.ts';

type Example = { readonly title: string; readonly commands: string; readonly printed: string };

/** In the order in which they run, because a block may use files that an earlier one made. */
const pages = ['README.md', 'docs/tour.md', 'docs/importing.md', 'docs/cli.md'];

/** The console blocks. Lines that begin with a dollar sign are commands; the others are their output. */
function examplesOf(page: string): Example[] {
  return [...readText(page).matchAll(/^```console\n(.*?)^```$/gms)].map(([, block = '']) => {
    const lines = block.trimEnd().split('\n');
    const commands = lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2));
    const printed = lines.filter((line) => !line.startsWith('$ ')).join('\n');
    return { title: `${page}: ${commands[0]}`, commands: commands.join('\n'), printed };
  });
}

/** Queries with the tables that they return. */
function queriesOf(page: string): { readonly sql: string; readonly table: string }[] {
  const blocks = readText(page).matchAll(/^```sql\n(.*?)^```\n+```csv\n(.*?)^```$/gms);
  return [...blocks].map(([, sql = '', table = '']) => ({ sql, table }));
}

/** The first difference between the text and the pattern, in which … matches anything; null if there is none. */
function difference(pattern: string, text: string): string | null {
  const parts = pattern.split('…');
  let position = 0;
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const found = isLast && index > 0 ? Math.max(position, text.length - part.length) : text.indexOf(part, position);
    const fits =
      text.startsWith(part, found) && (index > 0 || found === 0) && (!isLast || found + part.length === text.length);
    if (found < 0 || !fits)
      return `expected ${JSON.stringify(part)} in ${JSON.stringify(text.slice(position, position + 2000))}`;
    position = found + part.length;
  }
  return null;
}

describe('the examples', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shelfpress-examples-'));
  let server: RunningServer;
  beforeAll(async () => {
    symlinkSync(`${root}fixtures`, join(folder, 'fixtures'));
    server = await RunningServer.start([], {}, folder);
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  test('are of the server whose first line README shows', () => {
    expect(server.output.stdout.replace(String(server.port), '8080').trim()).toBe(
      'Shelfpress serves dist at http://127.0.0.1:8080/v1',
    );
    expect(readText('README.md')).toContain('\nShelfpress serves dist at http://127.0.0.1:8080/v1\n');
  });

  test('are on all of these pages', () => {
    expect(pages.filter((page) => examplesOf(page).length < 2)).toEqual([]);
    expect(queriesOf('README.md')).toHaveLength(1);
  });

  const command = `'${process.execPath}' '${programFile('generator/cli.ts')}'`;

  test.for(pages.flatMap(examplesOf))('$title', { timeout: 60_000 }, ({ commands, printed }, { skip }) => {
    skip(commands.includes('curl ') && !installed('curl'), 'curl is not installed');
    const script = commands
      .replaceAll('npm run -s shelfpress --', command)
      .replaceAll('127.0.0.1:8080', `${server.host}:${server.port}`);
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' });
    expect(stderr).toBe('');
    const shown = stdout.replaceAll('\r', '').replaceAll(`${server.host}:${server.port}`, '127.0.0.1:8080');
    expect(difference(printed, shown.trimEnd())).toBeNull();
  });

  test.for(queriesOf('README.md'))('README.md: $sql', async ({ sql, table }, { skip }) => {
    skip(!installed('curl'), 'curl is not installed');
    expect(await duckdbQuery(sql, folder)).toBe(table);
  });
});
