import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { problem } from '../../contract/schemas/problem.ts';
import { FixtureSite } from '../http/fixture-site.ts';
import type { Reply } from '../support/http-client.ts';
import { needing } from '../support/installed-programs.ts';
import { freePort } from '../support/ports.ts';
import { caddy, nginx, PlainServer } from './plain-hosts.ts';

const hosts = [
  { ...nginx, begin: PlainServer.nginx },
  { ...caddy, begin: PlainServer.caddy },
];

/** Expects an error that clients can read and that no cache keeps. */
function expectProblem({ status, headers, body }: Reply, expected: number): void {
  expect(status).toBe(expected);
  expect([headers['cache-control'], headers['access-control-allow-origin']]).toEqual(['no-store', '*']);
  expect(problem.parse(JSON.parse(body.toString())).request_id).toBe(headers['x-request-id']);
}

describe.each(hosts)('$name', ({ programs, begin }) => {
  test('says so if the service behind it does not answer', needing(...programs), async () => {
    using site = await FixtureSite.build();
    await using server = await begin(site.dist, `http://127.0.0.1:${await freePort()}`);
    for (const target of ['/v1/search?q=rye', '/v1/changes?limit=2', '/v1/availability/comparison']) {
      const reply = await server.get(target);
      expectProblem(reply, 500);
    }
    expect((await server.get('/v1/changes')).status).toBe(200);
  });

  test('does not say that nothing is published if its publication was removed', needing(...programs), async () => {
    using site = await FixtureSite.build();
    await using server = await begin(site.dist);
    const { revision } = site.pointer;
    renameSync(join(site.dist, 'checkouts', revision), join(site.dist, 'checkouts', 'gone'));
    const reply = await server.get('/v1/brands');
    expectProblem(reply, 503);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    expectProblem(await server.get('/v1/nothing'), 404);
  });
});
