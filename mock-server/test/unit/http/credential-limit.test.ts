import { EventEmitter } from 'node:events';
import type { Context } from 'hono';
import { expect, test } from 'vitest';
import { createCredentialLimit } from '../../../src/http/credential-limit.ts';
import { ConnectionCutError, toApiError } from '../../../src/http/errors.ts';

/** A request from an address, with a credential if it is given. */
const from = (address: string, credential?: string) =>
  ({
    req: { header: () => credential && `Bearer ${credential}` },
    env: { incoming: { socket: { remoteAddress: address } } },
  }) as unknown as Context;

/** Resolves when everything that can start has started. */
async function settled(): Promise<void> {
  for (let pass = 0; pass < 20; pass++) await new Promise(setImmediate);
}

/** Requests that wait until the test releases them: invalid ones while they are looked up, valid ones after it. */
function startRequests(atOnceMax: number) {
  const credentialLimit = createCredentialLimit(atOnceMax);
  const lookUps: string[] = [];
  const responses: string[] = [];
  const lookedUp = Promise.withResolvers<void>();
  const responded = Promise.withResolvers<void>();
  return {
    lookUps,
    responses,
    releaseInvalid: lookedUp.resolve,
    releaseValid: responded.resolve,
    sendValid: (name: string, c: Context) =>
      credentialLimit.serve(
        c,
        async () => {
          lookUps.push(name);
          return { owner: 'tenant' };
        },
        async () => {
          responses.push(name);
          await responded.promise;
        },
      ),
    async sendInvalid(name: string, c: Context) {
      const lookUp = async () => {
        lookUps.push(name);
        await lookedUp.promise;
        throw new Error('invalid');
      };
      await expect(credentialLimit.serve(c, lookUp, async () => void responses.push(name))).rejects.toThrow('invalid');
    },
  };
}

test('Of one credential, at most so many requests are looked up and under way, and others do not wait for them', async () => {
  const { sendValid, lookUps, responses, releaseValid } = startRequests(2);
  const all = [sendValid('first', from('1.1.1.1', 'busy'))];
  await settled();
  for (const name of ['second', 'third', 'fourth']) all.push(sendValid(name, from('1.1.1.1', 'busy')));
  all.push(sendValid('neighbour', from('1.1.1.1', 'other')));
  await settled();
  expect(lookUps).toEqual(['first', 'second', 'neighbour']);
  expect(responses).toEqual(['first', 'second', 'neighbour']);
  releaseValid();
  await Promise.all(all);
  expect(responses).toEqual(['first', 'second', 'neighbour', 'third', 'fourth']);
});

test('Requests with different invalid credentials wait for each other by their address', async () => {
  const { sendInvalid, lookUps, releaseInvalid } = startRequests(2);
  const all = ['a', 'b', 'c'].map((name) => sendInvalid(name, from('1.1.1.1', `invalid ${name}`)));
  all.push(sendInvalid('none', from('1.1.1.1')), sendInvalid('elsewhere', from('2.2.2.2', 'invalid')));
  await settled();
  expect(lookUps).toEqual(['a', 'b', 'elsewhere']);
  releaseInvalid();
  await Promise.all(all);
  expect(lookUps).toEqual(['a', 'b', 'elsewhere', 'c', 'none']);
});

test('The slow responses to a credential that was never seen do not occupy its address', async () => {
  const { sendValid, responses, releaseValid } = startRequests(2);
  const all = ['a', 'b', 'c'].map((name) => sendValid(name, from('1.1.1.1', 'busy')));
  await settled();
  all.push(sendValid('neighbour', from('1.1.1.1', 'other')));
  await settled();
  expect(responses).toEqual(['a', 'b', 'neighbour']);
  releaseValid();
  await Promise.all(all);
});

test('A credential that was valid before does not wait for the invalid ones of its address', async () => {
  const { sendValid, sendInvalid, responses, releaseValid, releaseInvalid } = startRequests(1);
  releaseValid();
  await sendValid('first', from('1.1.1.1', 'known'));
  await settled();
  const all = [sendInvalid('invalid', from('1.1.1.1', 'invalid')), sendValid('new', from('1.1.1.1', 'new'))];
  await sendValid('second', from('1.1.1.1', 'known'));
  expect(responses).toEqual(['first', 'second']);
  releaseInvalid();
  await Promise.all(all);
  expect(responses).toEqual(['first', 'second', 'new']);
});

test('Work before the caller is known waits in the same line', async () => {
  const credentialLimit = createCredentialLimit(1, 1);
  const held = Promise.withResolvers<void>();
  const started: string[] = [];
  const begin = (name: string, c: Context) =>
    credentialLimit.take(c, async () => {
      started.push(name);
      await held.promise;
    });
  const all = [begin('forged', from('1.1.1.1', 'forged')), begin('another', from('1.1.1.1', 'another'))];
  all.push(begin('elsewhere', from('2.2.2.2')));
  await settled();
  expect(started).toEqual(['forged', 'elsewhere']);
  held.resolve();
  await Promise.all(all);
  expect(started).toEqual(['forged', 'elsewhere', 'another']);
});

test('A thousand requests of a credential may wait, and the next one is rejected with 503', async () => {
  const { sendValid, releaseValid } = startRequests(1);
  const all = [sendValid('first', from('1.1.1.1', 'busy'))];
  await settled();
  for (let count = 0; count < 1_000; count++) all.push(sendValid('waiting', from('1.1.1.1', 'busy')));
  expect(await sendValid('last', from('1.1.1.1', 'busy')).catch(toApiError)).toMatchObject({
    status: 503,
    headers: { 'Retry-After': '1' },
  });
  all.push(sendValid('neighbour', from('1.1.1.1', 'other')));
  releaseValid();
  await Promise.all(all);
});

test('While requests wait to begin, the credentials of one workspace count as one sender', async () => {
  const credentialLimit = createCredentialLimit(1, 1);
  const begun: string[] = [];
  const fromKey = (credential: string) => {
    const socket = Object.assign(new EventEmitter(), { remoteAddress: '1.1.1.1' });
    return { ...from('1.1.1.1', credential), env: { incoming: { socket } } } as unknown as Context;
  };
  for (const [credential, owner] of Object.entries({ busy1: 'busy', busy2: 'busy', busy3: 'busy', other: 'other' })) {
    await credentialLimit.serve(
      from('1.1.1.1', credential),
      async () => ({ owner }),
      async () => {},
    );
  }
  await Promise.all(
    ['busy1', 'busy1', 'busy2', 'busy3', 'unknown', 'other'].map(async (credential) => {
      await credentialLimit.begin(fromKey(credential));
      begun.push(credential);
    }),
  );
  expect(begun).toEqual(['busy1', 'unknown', 'other', 'busy1', 'busy2', 'busy3']);
});

test('The admin token is a known credential after its first use', async () => {
  const credentialLimit = createCredentialLimit(1, 1);
  const begun: string[] = [];
  const send = async (credential: string) => {
    const socket = Object.assign(new EventEmitter(), { remoteAddress: credential });
    const c = { ...from('', credential), env: { incoming: { socket } } } as unknown as Context;
    await credentialLimit.begin(c);
    begun.push(credential);
    if (credential === 'admin') credentialLimit.rememberAdmin(c);
  };
  await send('admin');
  await settled();
  await Promise.all(['1.1.1.1', '2.2.2.2', '3.3.3.3', 'admin'].map(send));
  expect(begun).toEqual(['admin', '1.1.1.1', 'admin', '2.2.2.2', '3.3.3.3']);
});

/** Requests that note when they begin. */
function beginRequests(perPassMax: number) {
  const credentialLimit = createCredentialLimit(1, perPassMax);
  const begun: string[] = [];
  return {
    begun,
    async send(address: string, name: string, socket = new EventEmitter()) {
      Object.assign(socket, { remoteAddress: address });
      await credentialLimit.begin({ ...from(address), env: { incoming: { socket } } } as unknown as Context);
      begun.push(name);
    },
  };
}

test('In each pass of the event loop, so many requests begin, and the senders take turns', async () => {
  const { begun, send } = beginRequests(2);
  const all = ['1', '2', '3', '4', '5', '6'].map((name) => send('busy', name));
  all.push(send('other', 'a'), send('third', 'x'), send('other', 'b'));
  for (let count = 0; count < 20; count++) await Promise.resolve();
  expect(begun).toEqual(['1', '2']);
  await Promise.all(all);
  expect(begun).toEqual(['1', '2', 'a', 'x', 'b', '3', '4', '5', '6']);
});

test('A request whose connection closes while the request waits does not begin', async () => {
  const { begun, send } = beginRequests(1);
  const gone = Object.assign(new EventEmitter(), { destroyed: false });
  const all = [send('busy', '1'), send('busy', '3')];
  const left = send('busy', '2', gone);
  gone.destroyed = true;
  await expect(left).rejects.toThrow(ConnectionCutError);
  await Promise.all(all);
  expect(begun).toEqual(['1', '3']);
});
