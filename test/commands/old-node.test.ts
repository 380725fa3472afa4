import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { readText, root } from '../project/repository.ts';

const start = JSON.parse(readText('package.json')).scripts.start.split(' ').slice(1) as string[];

/**
 * Runs a program that sees the version of another Node. It prints what that Node would print, because nothing else is
 * loaded.
 */
function runAs(version: string, ...args: readonly string[]) {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
  const command = [`--import=data:text/javascript,${encodeURIComponent(pretend)}`, ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' });
  return { status, stdout, stderr };
}

test.each([
  ['20.20.2', ['bin/shelfpress.mjs', '--version']],
  ['22.17.1', ['bin/shelfpress.mjs', 'build']],
  ['20.20.2', [...start, '--help']],
])('Node %s is refused in one plain line by %j', (version, args) => {
  const stderr = `shelfpress: expected Node 22.18 or later, got ${version}: get it from https://nodejs.org\n`;
  expect(runAs(version, ...args)).toEqual({ status: 1, stdout: '', stderr });
});

test('a clone goes on with its own Node', () => {
  const pretend =
    "if (!process.env.SHELFPRESS_NODE) Object.defineProperty(process.versions, 'node', { value: '20.20.2' })";
  const command = [`--import=data:text/javascript,${encodeURIComponent(pretend)}`, 'bin/shelfpress.mjs'];
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, [...command, ...args], { cwd: root, encoding: 'utf8' });
  expect(run('--version')).toMatchObject({ status: 0, stdout: '1.0.0\n', stderr: '' });
  expect(run('no-such-command').status).toBe(2);
});

test('Node 22.18 is not', () => {
  expect(runAs('22.18.0', 'bin/shelfpress.mjs', '--version')).toMatchObject({ status: 0, stderr: '' });
});
