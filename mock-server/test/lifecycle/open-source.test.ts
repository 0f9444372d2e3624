import { once } from 'node:events';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAddressRules } from '../../src/domain/receiver-address.ts';
import { openSource, readBounded, SOURCE_MAX_BYTES } from '../../src/lifecycle/open-source.ts';
import { sourceRulesOf } from '../../src/source-rules.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-source-'));
const source = createServer((request, response) => answers[request.url ?? '']?.(response));
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
const addresses = createAddressRules({ allowLoopback: true, allowNetworks: [] });
const rules = sourceRulesOf({ local: true, addresses }, 50);
const signal = new AbortController().signal;

async function read(location: string): Promise<string> {
  await using opened = await openSource(location, rules, signal);
  let text = '';
  for await (const chunk of readBounded(opened.chunks, location)) text += Buffer.from(chunk);
  return text;
}

describe('A source', () => {
  test('that never answers is given up', async () => {
    await expect(read(`${url}/silent`)).rejects.toThrow(`Cannot read ${url}/silent: no answer in time.`);
  });

  test('that stops in the middle is given up', async () => {
    await expect(read(`${url}/stops`)).rejects.toThrow(
      `Cannot read ${url}/stops to its end: no byte came for too long.`,
    );
  });

  test('of more than 5 GiB is refused before any of it is read', async () => {
    await expect(openSource(`${url}/large`, rules, signal)).rejects.toThrow(`${url}/large is larger than 5 GiB.`);
    await using largest = await openSource(`${url}/largest`, rules, signal);
    expect(largest.format).toBe('ndjson');
  });

  test('that is a file of more than 5 GiB is also refused', async () => {
    const path = join(folder, 'large.ndjson');
    writeFileSync(path, '');
    truncateSync(path, SOURCE_MAX_BYTES + 1);
    await expect(openSource(path, rules, signal)).rejects.toThrow(`${path} is larger than 5 GiB.`);
    truncateSync(path, SOURCE_MAX_BYTES);
    await using largest = await openSource(path, rules, signal);
    expect(largest.format).toBe('ndjson');
  });

  test('that does not state its size is read up to 5 GiB', async () => {
    const part = new Uint8Array(SOURCE_MAX_BYTES / 80);
    async function* parts(count: number) {
      for (let n = 0; n < count; n++) yield part;
    }
    const lengthOf = async (count: number) => {
      let bytes = 0;
      for await (const { length } of readBounded(parts(count), 'https://a.test/')) bytes += length;
      return bytes;
    };
    expect(await lengthOf(80)).toBe(SOURCE_MAX_BYTES);
    await expect(lengthOf(81)).rejects.toThrow('https://a.test/ is larger than 5 GiB.');
  });
});
