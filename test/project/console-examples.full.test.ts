import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually, RunningServer } from '../serve/running-server.ts';
import { withoutProgress } from '../support/command-line.ts';
import { installed, needing } from '../support/installed-programs.ts';
import { programFile } from '../support/programs.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { duckdbQuery } from './duckdb-query.ts';
import { readText, root } from './repository.ts';

type Example = { readonly page: string; readonly title: string; readonly commands: string; readonly printed: string };

/** The blocks of a page run in order in one folder, because a block can use files that an earlier one made. */
const pages = ['README.md', 'docs/tour.md', 'docs/importing.md', 'docs/cli.md'];

/**
 * The console blocks, including those in lists. Lines that begin with a dollar sign are commands; the others are their
 * output.
 */
function examplesOf(page: string): Example[] {
  return [...readText(page).matchAll(/^( *)```console\n(.*?)^\1```$/gms)].map(([, indent = '', block = '']) => {
    const lines = block.trimEnd().split('\n');
    const shown = lines.map((line) => line.slice(indent.length));
    const commands = shown.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2));
    const printed = shown.filter((line) => !line.startsWith('$ ')).join('\n');
    return { page, title: `${page}: ${commands[0]}`, commands: commands.join('\n'), printed };
  });
}

/** Queries with the tables that they return. */
function queriesOf(page: string): { readonly sql: string; readonly table: string }[] {
  const blocks = readText(page).matchAll(/^```sql\n(.*?)^```\n+```csv\n(.*?)^```$/gms);
  return [...blocks].map(([, sql = '', table = '']) => ({ sql, table }));
}

/** The script on a page for a machine to run every day. */
function scriptOf(page: string): string {
  return /^```sh\n(#!.*?)^```$/ms.exec(readText(page))?.[1] ?? '';
}

/** Output as a page shows it, in which … matches anything. */
function patternOf(printed: string): RegExp {
  const parts = printed.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*?')}$`, 's');
}

describe('the examples', () => {
  const folder = temporaryFolder();
  const bin = join(folder, 'bin');
  const folderOf = (page: string) => join(folder, page.replaceAll('/', '-'));
  const environment = { ...process.env, PATH: `${bin}:${process.env.PATH}` };

  /** Servers by the port that the pages name: the bundled fixtures, and the site that docs/tour.md builds. */
  const servers = new Map<number, RunningServer>();
  const serverAt = (port: number) => servers.get(port) as RunningServer;

  beforeAll(async () => {
    for (const page of pages) {
      mkdirSync(folderOf(page));
      symlinkSync(`${root}fixtures`, join(folderOf(page), 'fixtures'));
    }
    mkdirSync(bin);
    const command = `#!/bin/sh\nexec '${process.execPath}' '${programFile('generator/cli/cli.ts')}' "$@"\n`;
    writeFileSync(join(bin, 'shelfpress'), command, { mode: 0o755 });
    servers.set(8080, await RunningServer.start([], {}, folder));
    servers.set(8081, await RunningServer.start(['dist'], {}, folderOf('docs/tour.md')));
  });
  afterAll(async () => {
    for (const server of servers.values()) await server[Symbol.asyncDispose]();
    removeFolder(folder);
  });

  test('are on all of these pages', () => {
    expect(pages.filter((page) => examplesOf(page).length === 0)).toEqual([]);
    expect(queriesOf('README.md')).toHaveLength(1);
  });

  test.for(pages.flatMap(examplesOf))('$title', { timeout: 60_000 }, async ({ page, commands, printed }, { skip }) => {
    skip(commands.includes('curl ') && !installed('curl'), 'curl is not installed');
    if (commands.includes(':8081')) await eventually(async () => (await serverAt(8081).get('/readyz')).status === 200);
    let script = commands;
    for (const [port, { host, port: actual }] of servers)
      script = script.replaceAll(`127.0.0.1:${port}`, `${host}:${actual}`);
    const options = { cwd: folderOf(page), env: environment, encoding: 'utf8' } as const;
    const { stdout, stderr } = spawnSync('bash', ['-c', script], options);
    expect(withoutProgress(stderr)).toBe('');
    let shown = stdout.replaceAll('\r', '').trimEnd();
    for (const [port, { host, port: actual }] of servers)
      shown = shown.replaceAll(`${host}:${actual}`, `127.0.0.1:${port}`);
    expect(shown).toMatch(patternOf(printed));
  });

  test('the script in docs/tour.md makes a site from what it downloads', needing('curl'), () => {
    const home = join(folder, 'home');
    mkdirSync(home);
    const init = `shelfpress init --recipe ${root}fixtures/imports/csv/recipe.json`;
    spawnSync('sh', ['-c', init], { cwd: home, env: environment });
    const script = scriptOf('docs/tour.md')
      .replaceAll('/var/lib/shelfpress', home)
      .replaceAll('https://agency.example', `file://${root}fixtures/imports/csv`);
    const { status, stdout } = spawnSync('sh', ['-c', script], { env: environment, encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('built publication 1; ') });
    expect(readdirSync(join(home, 'incoming'))).toEqual([]);
    expect(existsSync(join(home, 'dist/current.json'))).toBe(true);
  });

  test.for(queriesOf('README.md'))('README.md: $sql', async ({ sql, table }, { skip }) => {
    skip(!installed('curl'), 'curl is not installed');
    expect(await duckdbQuery(sql, folderOf('README.md'))).toBe(table);
  });
});
