import type { IncomingMessage, ServerResponse } from 'node:http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Exchange } from '../../shim/node/exchange.ts';
import { requestLine } from '../../shim/node/log.ts';

/** A finished exchange for any target, even one that no real connection could carry. */
function finishedExchange(target: string, isComplete: boolean): Exchange {
  const request = { method: 'GET', url: target } as IncomingMessage;
  const exchange = new Exchange(request, { writableFinished: isComplete } as ServerResponse, '2001:db8::1');
  exchange.answer = { status: 200, headers: { 'X-Publication-Revision': 'r' }, resource: 'brands' };
  exchange.bytes = 12;
  exchange.end();
  return exchange;
}

test('whatever a target holds, its line is one line of JSON that has it, cut to 512 characters', () => {
  const target = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ minLength: 500, maxLength: 1000 }));
  fc.assert(
    fc.property(target, fc.boolean(), (text, isComplete) => {
      const exchange = finishedExchange(text, isComplete);
      const line = requestLine('info', exchange);
      expect(line.indexOf('\n')).toBe(line.length - 1);
      expect(JSON.parse(line)).toEqual({
        level: 'info',
        time: expect.stringMatching(/Z$/),
        id: exchange.id,
        method: 'GET',
        target: text.slice(0, 512),
        resource: 'brands',
        status: 200,
        bytes: 12,
        duration_ms: expect.any(Number),
        revision: 'r',
        client: '2001:db8::1',
        ...(isComplete ? {} : { broken_off: true }),
      });
    }),
  );
});

test('without an answer status and revision are null', () => {
  const exchange = new Exchange({ method: 'GET', url: '/v1' } as IncomingMessage, {} as ServerResponse, '192.0.2.1');
  expect(JSON.parse(requestLine('debug', exchange))).toMatchObject({
    level: 'debug',
    resource: 'none',
    status: null,
    revision: null,
    broken_off: true,
  });
});
