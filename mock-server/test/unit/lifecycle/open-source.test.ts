import { once } from 'node:events';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openSource, readBounded, SOURCE_MAX_BYTES } from '../../../src/lifecycle/open-source.ts';
import { createGuardedConnector } from '../../../src/network/guarded-connector.ts';
import { NO_ADDRESSES } from '../../../src/network/own-addresses.ts';
import { UnresolvedNameError } from '../../../src/network/resolve-name.ts';
import { connectionRulesOf } from '../../../src/start/check-config.ts';
import { sourceRulesOf } from '../../../src/start/source-rules.ts';

const LOCAL = connectionRulesOf({ strict: false, allowNetworks: [] });

const folder = mkdtempSync(join(tmpdir(), 'svc-source-'));
const source = createServer((request, response) => answers[request.url?.split('?', 1)[0] ?? '']?.(response));
let url: string;
beforeAll(async () => {
  await once(source.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
});
afterAll(() => {
  source.closeAllConnections();
  source.close();
  rmSync(folder, { recursive: true });
});

const answers: Record<string, (response: ServerResponse) => void> = {
  '/silent': () => {},
  '/stops': (response) => void response.write('{"externalId":"a"}\n'),
  '/large': (response) => {
    response.writeHead(200, { 'content-length': SOURCE_MAX_BYTES + 1 });
    response.write('{"externalId":"a"}\n');
  },
  '/largest': (response) => {
    response.writeHead(200, { 'content-length': SOURCE_MAX_BYTES });
    response.write('{"externalId":"a"}\n');
  },
};

/** A short deadline is enough, because a source here never answers once it is silent. */
const rules = sourceRulesOf(LOCAL, NO_ADDRESSES, { silenceMaxMs: 50 });
const signal = new AbortController().signal;

async function read(location: string, readRules = rules): Promise<string> {
  await using opened = await openSource(location, readRules, { stop: signal });
  let text = '';
  for await (const chunk of opened.chunks) text += Buffer.from(chunk);
  return text;
}

test('A source is read in the time of its workspace', async () => {
  answers['/owned'] = (response) => response.end('{"externalId":"a"}\n');
  const owners: unknown[] = [];
  const readingTime = {
    hasTime: (_resume: () => void, owner: unknown) => owners.push(owner) > 0,
    wait: setImmediate,
    start: setImmediate,
  };
  await using opened = await openSource(`${url}/owned`, { ...rules, readingTime }, { stop: signal, owner: 'wsp_1' });
  for await (const _chunk of opened.chunks);
  expect(new Set(owners)).toEqual(new Set(['wsp_1']));
});

test.each(['gzip', 'br', 'identity, gzip'])('A source with the Content-Encoding %s is not read', async (encoding) => {
  answers['/compressed'] = (response) => response.writeHead(200, { 'content-encoding': encoding }).end('{}');
  await expect(read(`${url}/compressed`)).rejects.toThrow(
    '/compressed: the response is compressed (Content-Encoding).',
  );
});

test.each(['identity', 'Identity', ''])('A source with the Content-Encoding "%s" is read', async (encoding) => {
  answers['/plain'] = (response) => response.writeHead(200, { 'content-encoding': encoding }).end('{}');
  await expect(read(`${url}/plain`)).resolves.not.toThrow();
});

describe('A source that never ends', () => {
  // Silent sources are given up earlier, so these never stop.
  const drip = (response: ServerResponse) => {
    const timer = setInterval(() => response.write(' '), 5);
    response.on('close', () => clearInterval(timer));
  };
  const hasty = sourceRulesOf(LOCAL, NO_ADDRESSES, { readMaxMs: 100 });

  test('is given up after ten minutes in total', async () => {
    answers['/drips'] = drip;
    // On a busy machine, even the head of the response may come too late.
    await expect(read(`${url}/drips`, hasty)).rejects.toThrow(
      /\/drips(?: to its end)?: it took longer than ten minutes\.$/,
    );
  });

  test('and never sends its head is given up too', async () => {
    answers['/drips-headers'] = (response) => response.writeProcessing();
    await expect(read(`${url}/drips-headers`, hasty)).rejects.toThrow('it took longer than ten minutes.');
  });

  test.each([302, 404, 500])('is not read if its status is %i', async (status) => {
    const closed = Promise.withResolvers<void>();
    answers['/status'] = (response) => {
      response.on('close', () => closed.resolve());
      response.writeHead(status, { location: `${url}/next` });
      drip(response);
    };
    answers['/next'] = (response) => response.writeHead(404).end();
    await expect(read(`${url}/status`)).rejects.toThrow(`it responded with HTTP ${status === 302 ? 404 : status}.`);
    await closed.promise;
  });

  test('is given up even if it is not a server', async () => {
    async function* parts() {
      for (;;) yield new Uint8Array(1024);
    }
    const timeIsUp = AbortSignal.timeout(0);
    const reading = (async () => {
      for await (const _part of readBounded(parts(), '/some/file', timeIsUp)) await new Promise(setImmediate);
    })();
    await expect(reading).rejects.toThrow('Cannot read /some/file to its end: it took longer than ten minutes.');
  });
});

describe('The pace of a source', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => vi.useRealTimers());

  /** Reads parts that each come after some seconds. The reader then needs some seconds to store each part. */
  async function readParts(parts: { afterMs: number; bytes: number }[], storeMs = 0): Promise<number> {
    async function* source() {
      for (const { afterMs, bytes } of parts) {
        vi.advanceTimersByTime(afterMs);
        yield new Uint8Array(bytes);
      }
    }
    let bytes = 0;
    for await (const { length } of readBounded(source(), 'https://a.test/', signal)) {
      bytes += length;
      vi.advanceTimersByTime(storeMs);
    }
    return bytes;
  }
  const slow = 'Cannot read https://a.test/ to its end: it sent less than 1 KiB/s for 30 s.';
  const times = (count: number, part: { afterMs: number; bytes: number }) => Array<typeof part>(count).fill(part);

  test('is at least 1 KiB/s on average over 30 s', async () => {
    const part = { afterMs: 3_000, bytes: 3 * 1024 };
    expect(await readParts(times(200, part))).toBe(200 * part.bytes);
    await expect(readParts(times(200, { ...part, bytes: part.bytes - 1 }))).rejects.toThrow(slow);
  });

  test('is not too slow before 30 s are over', async () => {
    expect(await readParts(times(9, { afterMs: 3_000, bytes: 1 }))).toBe(9);
    await expect(readParts(times(10, { afterMs: 3_000, bytes: 1 }))).rejects.toThrow(slow);
  });

  test('may not live on what came at once in the beginning', async () => {
    const parts = [{ afterMs: 0, bytes: 10 * 1024 * 1024 }, ...times(30, { afterMs: 3_000, bytes: 1 })];
    await expect(readParts(parts)).rejects.toThrow(slow);
  });

  test('does not count the time that the server itself needs', async () => {
    expect(await readParts(times(20, { afterMs: 1, bytes: 10 }), 60_000)).toBe(200);
  });
});

describe("A redirect to the server's machine", () => {
  /** Every name leads to the test's server. */
  const elsewhere = {
    ...rules,
    urlProblem: () => undefined,
    connect: ((options, callback) =>
      rules.connect({ ...options, hostname: '127.0.0.1' }, callback)) as typeof rules.connect,
    connectRedirected: ((options, callback) =>
      rules.connect({ ...options, hostname: '127.0.0.1' }, callback)) as typeof rules.connect,
  };
  const redirects = (to: string) => (response: ServerResponse) => response.writeHead(302, { location: to }).end();
  beforeAll(() => {
    answers['/some'] = (response) => response.end('{"externalId":"a"}\n');
  });

  test.each(['127.0.0.1', '127.0.0.2', 'localhost', 'LOCALHOST.', 'name.localhost', '[::1]'])(
    'from elsewhere is not followed: %s',
    async (host) => {
      const { port } = new URL(url);
      const location = `http://a.test:${port}/moved`;
      answers['/moved'] = redirects(`http://${host}:${port}/some`);
      await expect(read(location, elsewhere)).rejects.toThrow(
        `Cannot read ${location}: it redirects to the server's machine.`,
      );
    },
  );

  test.each(['b.test', '[::ffff:127.0.0.1]'])(
    'is not followed by a name or an address that leads there: %s',
    async (host) => {
      const { port } = new URL(url);
      // Every name leads to the test's server, but the real rules decide about the redirect.
      const resolved = {
        ...elsewhere,
        connectRedirected: ((options, callback) =>
          rules.connectRedirected({ ...options, hostname: '127.0.0.1' }, callback)) as typeof rules.connect,
      };
      answers['/moved'] = redirects(`http://${host}:${port}/some`);
      await expect(read(`http://a.test:${port}/moved`, resolved)).rejects.toThrow('the address is not allowed.');
    },
  );

  test('from the same machine is followed, and so is one from elsewhere to elsewhere', async () => {
    const { port } = new URL(url);
    answers['/moved'] = redirects(`${url}/some`);
    expect(await read(`http://localhost:${port}/moved`)).toContain('externalId');
    answers['/moved'] = redirects(`http://b.test:${port}/some`);
    expect(await read(`http://a.test:${port}/moved`, elsewhere)).toContain('externalId');
  });
});

describe('A source', () => {
  test('that never answers is given up', async () => {
    await expect(read(`${url}/silent`)).rejects.toThrow(`Cannot read ${url}/silent: no response in time.`);
  });

  test.each(['?sig=secret', '#secret', '?sig=secret#part'])('is named in an error without its %s', async (secret) => {
    const silent = read(`${url}/silent${secret}`);
    await expect(silent).rejects.toThrow(`Cannot read ${url}/silent: no response in time.`);
    const stops = read(`${url}/stops${secret}`);
    await expect(stops).rejects.toThrow(`Cannot read ${url}/stops to its end: the source stopped sending data.`);
  });

  test('that is redirected is named without the query and the password of the new URL', async () => {
    const { port } = new URL(url);
    answers['/moved'] = (response) =>
      response.writeHead(302, { location: `http://user:secret@127.0.0.1:${port}/none?sig=secret` }).end();
    answers['/none'] = (response) => response.writeHead(404).end();
    await expect(read(`${url}/moved`)).rejects.toThrow(
      `Cannot read http://[redacted]@127.0.0.1:${port}/none: it responded with HTTP 404.`,
    );
  });

  test('that is a file is named in full', async () => {
    await expect(read('/no/such#file?.ndjson', { ...rules, readsFiles: true })).rejects.toThrow(
      'Cannot read /no/such#file?.ndjson: it does not exist.',
    );
  });

  test('that stops in the middle is given up', async () => {
    await expect(read(`${url}/stops`)).rejects.toThrow(
      `Cannot read ${url}/stops to its end: the source stopped sending data.`,
    );
  });

  test('of more than 5 GiB is refused before any of it is read', async () => {
    await expect(openSource(`${url}/large`, rules, { stop: signal })).rejects.toThrow(
      `${url}/large is larger than 5 GiB.`,
    );
    await using largest = await openSource(`${url}/largest`, rules, { stop: signal });
    expect(largest.format).toBe('ndjson');
  });

  test('that is a file of more than 5 GiB is also refused', async () => {
    const path = join(folder, 'large.ndjson');
    writeFileSync(path, '');
    truncateSync(path, SOURCE_MAX_BYTES + 1);
    await expect(openSource(path, rules, { stop: signal })).rejects.toThrow(`${path} is larger than 5 GiB.`);
    truncateSync(path, SOURCE_MAX_BYTES);
    await using largest = await openSource(path, rules, { stop: signal });
    expect(largest.format).toBe('ndjson');
  });

  test('that does not state its size is read up to 5 GiB', async () => {
    const part = new Uint8Array(SOURCE_MAX_BYTES / 80);
    async function* parts(count: number) {
      for (let n = 0; n < count; n++) yield part;
    }
    const lengthOf = async (count: number) => {
      let bytes = 0;
      for await (const { length } of readBounded(parts(count), 'https://a.test/', signal)) bytes += length;
      return bytes;
    };
    expect(await lengthOf(80)).toBe(SOURCE_MAX_BYTES);
    await expect(lengthOf(81)).rejects.toThrow('https://a.test/ is larger than 5 GiB.');
  });
});

describe('The error of a source says why', () => {
  test('its name could not be looked up', async () => {
    const lookUp = vi.fn(async () => {
      throw new UnresolvedNameError('no name server could look up source.test.');
    });
    const connect = createGuardedConnector(LOCAL.reachable, 50, lookUp, NO_ADDRESSES);
    await expect(read('https://source.test/', { ...rules, connect })).rejects.toThrow(
      'Cannot read https://source.test/: no name server could look up source.test.',
    );
  });

  test.each([
    'HTTP/1.1 101 Switching Protocols\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\n\r\ndata',
    'RTSP/1.0 200 OK\r\n\r\n',
  ])('its response is not valid HTTP: %j', async (response) => {
    answers['/invalid'] = ({ socket }) => socket?.end(response);
    await expect(read(`${url}/invalid`)).rejects.toThrow(/: its response is not valid HTTP\.$/);
  });
});
