import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { openSite } from '../../client/open-site.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { programFile } from '../support/programs.ts';
import { SmallSites } from '../support/small-sites.ts';

const sites = SmallSites.use(1);
const hasIpv6 = Object.values(networkInterfaces()).some((some) => some?.some(({ address }) => address === '::1'));

test.skipIf(!hasIpv6).each([[], ['--plain']])('over IPv6 alone, serve %j, and what reads from it', async (...flags) => {
  const command = [
    programFile('generator/cli/cli.ts'),
    'serve',
    sites.at('dist-1'),
    ...flags,
    '--host',
    '::1',
    '--port',
    '0',
  ];
  const server = spawn(process.execPath, command, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, HOST: '', PORT: '', LOG_LEVEL: 'silent' },
  });
  try {
    const [line] = await once(server.stdout, 'data');
    const [url = ''] = /http:\/\/\[::1\]:\d+/.exec(String(line)) ?? [];
    expect(url).not.toBe('');
    expect((await openSite(url)).publication.sequence).toBe(1);
    const mirror = sites.fresh();
    expect(await runInProcess('mirror', url, mirror)).toMatchObject({ code: 0, stderr: '' });
    expect(await runInProcess('verify', url, '--all')).toMatchObject({ code: 0, stderr: '' });
    expect(await runInProcess('follow', url, '--once', '--output', `${mirror}.ndjson`)).toMatchObject({
      code: 0,
      stderr: '',
    });
    const status = await runInProcess('status', url, '--max-age', '99999d');
    expect(status.stderr).toBe('');
    expect(await runInProcess('mirror', url, mirror)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('nothing new'),
    });
  } finally {
    server.kill();
    await once(server, 'close');
  }
});
